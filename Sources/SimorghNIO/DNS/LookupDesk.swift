// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
package import NIOCore
package import SimorghCore
import Synchronization

/// Asks somebody for addresses who blocks a thread until he knows them: a few at once, the rest in a line with a bound.
package final class LookupDesk: Sendable {
    /// A call that blocks its thread until it knows the addresses of a name and port that are of one family.
    package typealias Ask = @Sendable (String, Int, AddressFamily) throws -> [SocketAddress]
    package typealias Answer = Result<[SocketAddress], any Error>
    private typealias Line = LookupLine<@Sendable (Answer) -> Void>

    /// Too many names wait to be looked up.
    package struct Full: Error, CustomStringConvertible {
        package var description: String { "too many names wait to be looked up" }
    }

    /// What is asked at once at most, and what waits, unless somebody says otherwise.
    ///
    /// No user does: each name that is asked for blocks a thread of the process, and there is one system to ask. If each
    /// transport had bounds of its own, two would be twice as many threads; if one could set them for all, each would undo
    /// what another set. Who wants other bounds has a ``HostResolver`` of his own, which none of these holds for.
    package enum Bounds {
        /// Names of each family that are asked for at once: so many threads there are for each.
        package static let names = 16
        /// Names of each family besides, of those that take long.
        package static let late = 48
        /// After how long a name that is asked for gives its place to the next.
        package static let patience = Duration.seconds(2)
        /// Names of each family that wait for their turn; another one fails.
        package static let inLine = 1024
        /// Those who wait in all, also for what others have asked; another one fails.
        package static let waiting = 65_536
    }

    /// The system's own resolver, for all transports of the process.
    static let system = LookupDesk { host, port, family in
        try SystemResolver.addresses(of: host, port: port, family)
    }

    private let ask: Ask
    private let patience: Duration
    private let line: Mutex<Line>

    /// - Parameters:
    ///   - most: How many names are asked for at once, of each family: so many threads there are for each; 16 by default.
    ///   - mostLate: How many more, of those that take long; 48 by default.
    ///   - patience: After how long a name that is asked for gives its place to the next; two seconds by default.
    ///   - mostInLine: How many wait for their turn, of each family; 1,024 by default.
    ///   - mostWaiting: How many wait in all, also for what others have asked; 65,536 by default.
    ///   - ask: Knows the addresses.
    package init(
        most: Int = Bounds.names, mostLate: Int = Bounds.late, patience: Duration = Bounds.patience,
        mostInLine: Int = Bounds.inLine, mostWaiting: Int = Bounds.waiting, ask: @escaping Ask
    ) {
        self.ask = ask
        self.patience = patience
        line = Mutex(Line(most: most, mostLate: mostLate, mostInLine: mostInLine, mostWaiting: mostWaiting))
    }

    /// How many wait for an answer; for tests.
    package var waiting: Int { line.withLock { $0.waiting } }

    /// Asks for the addresses of a name that are of one family.
    ///
    /// - Parameters:
    ///   - host: The name.
    ///   - port: What goes into the addresses.
    ///   - family: Their family.
    ///   - tell: Told once, on any thread.
    /// - Returns: To be called when nobody waits any more; that is told at once then.
    package func find(
        _ host: String, port: Int, _ family: AddressFamily, then tell: @escaping @Sendable (Answer) -> Void
    ) -> @Sendable () -> Void {
        let question = Line.Question(host: host, port: port, family: family)
        let answer = line.withLock { $0.add(question, tell) }
        switch answer {
        case .isFull:
            tell(.failure(Full()))
            return {}
        case .ask(let ticket):
            start(question)
            return { self.leave(ticket) }
        case .wait(let ticket): return { self.leave(ticket) }
        }
    }

    private func leave(_ ticket: Line.Ticket) {
        let tell = line.withLock { $0.leave(ticket) }
        tell?(.failure(CancellationError()))
    }

    /// Whether the system has answered.
    private final class Asking: Sendable {
        let isOver = Atomic(false)
    }

    private func start(_ question: Line.Question) {
        let asking = Asking()
        // A queue of its own has a thread of its own: a name server that is silent holds up neither another name nor the
        // other family of this one, as long as there are places.
        DispatchQueue(label: "simorgh.lookup").async {
            let result = Answer { try self.ask(question.host, question.port, question.family) }
            asking.isOver.store(true, ordering: .relaxed)
            let (waiters, next) = self.line.withLock { $0.answered(question) }
            if let next { self.start(next) }
            for tell in waiters { tell(result) }
        }
        watch(question, asking)
    }

    /// Lets a question that takes long give its place to the next.
    private func watch(_ question: Line.Question, _ asking: Asking) {
        let patience = TimeAmount(clamping: max(patience, .milliseconds(1)))
        let wait = DispatchTimeInterval.nanoseconds(Int(patience.nanoseconds))
        DispatchQueue.global().asyncAfter(deadline: .now() + wait) {
            guard !asking.isOver.load(ordering: .relaxed) else { return }
            let (keepsPlace, next) = self.line.withLock { $0.isLate(question) }
            if let next { self.start(next) }
            if keepsPlace { self.watch(question, asking) }
        }
    }
}
