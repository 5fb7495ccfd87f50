// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Dispatch
import Synchronization

/// Writes one thing after the other, and away from the tasks' pool: a pipe may be full, and a terminal stopped.
///
/// Whoever writes waits and holds no thread, so that no more is kept than one thing of each who writes.
package final class ConsoleQueue: Sendable {
    private let console: Console
    private let queue = DispatchQueue(label: "simorgh.console")
    /// How many lines wait for which nobody does.
    private let waiting = Atomic(0)
    /// So many lines may; who is that far behind is told nothing by more of them.
    private static let most = 1000

    package init(_ console: Console) { self.console = console }

    /// Writes, when all before has been written.
    ///
    /// - Parameter work: Writes to the console.
    /// - Throws: ``OutputFailure``.
    package func write(
        _ work: @escaping @Sendable (Console) throws(OutputFailure) -> Void
    ) async throws(OutputFailure) {
        let outcome: Result<Void, OutputFailure> = await withCheckedContinuation { continuation in
            queue.async { [console] in
                continuation.resume(returning: Result { () throws(OutputFailure) in try work(console) })
            }
        }
        try outcome.get()
    }

    /// Writes, when all before has been written, and has nobody wait for it: whoever calls this keeps it from growing.
    ///
    /// - Parameter work: Writes to the console.
    package func later(_ work: @escaping @Sendable (Console) -> Void) { queue.async { [console] in work(console) } }

    /// Writes a line to standard output, when all before has been written.
    ///
    /// - Parameter line: The line, without its end.
    /// - Throws: ``OutputFailure``.
    package func say(_ line: String) async throws(OutputFailure) {
        try await write { console throws(OutputFailure) in try console.say(line) }
    }

    /// Writes a line to standard error, when all before has been written; if that fails there is nobody to tell.
    ///
    /// - Parameter line: The line, without its end.
    package func note(_ line: String) async {
        try? await write { console throws(OutputFailure) in console.note(line) }
    }

    /// Writes a line to standard error, when all before has been written, and has nobody wait for it.
    ///
    /// Where a thousand such lines wait already it is left out.
    ///
    /// - Parameter line: The line, without its end.
    package func noteLater(_ line: String) {
        guard waiting.add(1, ordering: .relaxed).newValue <= Self.most else {
            waiting.subtract(1, ordering: .relaxed)
            return
        }
        later { [self] console in
            console.note(line)
            waiting.subtract(1, ordering: .relaxed)
        }
    }

    /// Writes what went wrong to standard error, when all before has been written.
    ///
    /// - Parameter message: What went wrong.
    package func complain(_ message: String) async {
        try? await write { console throws(OutputFailure) in console.complain(message) }
    }

    /// Returns when all before has been written.
    package func settled() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            queue.async { continuation.resume() }
        }
    }
}
#endif
