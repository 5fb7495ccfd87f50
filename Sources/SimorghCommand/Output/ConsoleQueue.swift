// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Dispatch
import Synchronization

/// A serial queue for console output, which does not block the cooperative thread pool if a pipe is full or a terminal
/// stopped.
///
/// Callers suspend until their output is written, so the queue holds only one item per caller.
package final class ConsoleQueue: Sendable {
    private let console: Console
    private let queue = DispatchQueue(label: "simorgh.console")
    /// The number of queued lines without a waiting caller.
    private let waiting = Atomic(0)
    /// The maximum of ``waiting``; more lines would not help a reader that is so far behind.
    private static let maximumWaiting = 1000

    package init(_ console: Console) { self.console = console }

    /// Writes after all earlier output has been written.
    ///
    /// - Parameter work: Writes to the console.
    /// - Throws: ``OutputError``.
    package func write(
        _ work: @escaping @Sendable (Console) throws(OutputError) -> Void
    ) async throws(OutputError) {
        let outcome: Result<Void, OutputError> = await withCheckedContinuation { continuation in
            queue.async { [console] in
                continuation.resume(returning: Result { () throws(OutputError) in try work(console) })
            }
        }
        try outcome.get()
    }

    /// Writes after all earlier output, without waiting; the caller must limit the number of such calls.
    ///
    /// - Parameter work: Writes to the console.
    package func later(_ work: @escaping @Sendable (Console) -> Void) { queue.async { [console] in work(console) } }

    /// Writes a line to standard output after all earlier output.
    ///
    /// - Parameter line: The line, without its end.
    /// - Throws: ``OutputError``.
    package func say(_ line: String) async throws(OutputError) {
        try await write { console throws(OutputError) in try console.say(line) }
    }

    /// Writes a line to standard error after all earlier output; a failure to do so is ignored.
    ///
    /// - Parameter line: The line, without its end.
    package func note(_ line: String) async {
        try? await write { console throws(OutputError) in console.note(line) }
    }

    /// Writes a line to standard error after all earlier output, without waiting.
    ///
    /// The line is dropped if a thousand such lines are queued.
    ///
    /// - Parameter line: The line, without its end.
    package func noteLater(_ line: String) {
        guard waiting.add(1, ordering: .relaxed).newValue <= Self.maximumWaiting else {
            waiting.subtract(1, ordering: .relaxed)
            return
        }
        later { [self] console in
            console.note(line)
            waiting.subtract(1, ordering: .relaxed)
        }
    }

    /// Writes an error to standard error after all earlier output.
    ///
    /// - Parameter message: The error message.
    package func complain(_ message: String) async {
        try? await write { console throws(OutputError) in console.complain(message) }
    }

    /// Returns when all earlier output has been written.
    package func settled() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            queue.async { continuation.resume() }
        }
    }
}
#endif
