// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
package import NIOCore
package import SimorghCore
import SimorghSupport
import Synchronization

/// Runs blocking DNS lookups with limited concurrency and a bounded queue.
package final class ResolverPool: Sendable {
    /// A function that blocks its thread until it knows the addresses of one family of a name and port.
    package typealias Lookup = @Sendable (String, Int, AddressFamily) throws -> [SocketAddress]
    package typealias Answer = Result<[SocketAddress], any Error>
    private typealias Queue = LookupQueue<@Sendable (Answer) -> Void>

    /// The error of a lookup that was rejected because too many names are queued.
    package struct FullError: Error, CustomStringConvertible {
        package var description: String { "too many DNS lookups are waiting" }
    }

    /// The default limits.
    ///
    /// Users cannot change them: each lookup blocks a thread of the process, and there is one system resolver.
    /// Separate limits for each transport would add up, and one shared setting could be overwritten by any transport.
    /// A custom ``HostResolver`` has none of these limits.
    package enum Bounds {
        /// The maximum number of concurrent lookups, hence of threads, for each family.
        package static let maximumConcurrent = 16
        /// The maximum number of further concurrent lookups for each family that are slow.
        package static let maximumSlow = 48
        /// The time after which a lookup counts as slow, and the next one may start.
        package static let patience = Duration.seconds(2)
        /// The maximum number of queued names for each family; further ones fail.
        package static let maximumQueued = 1024
        /// The maximum number of waiters in all, including those for the same name; further ones fail.
        package static let maximumWaiters = 65_536
    }

    /// The system's resolver, shared by all transports of the process.
    static let system = ResolverPool { host, port, family in
        try SystemResolver.addresses(of: host, port: port, family: family)
    }

    private let lookUp: Lookup
    private let patience: Duration
    private let queue: Mutex<Queue>

    /// Creates an idle resolver pool.
    ///
    /// - Parameters:
    ///   - maximumConcurrent: The maximum number of concurrent lookups, hence of threads, for each family. Default: 16.
    ///   - maximumSlow: The maximum number of further concurrent lookups for each family that are slow. Default: 48.
    ///   - patience: The time after which a lookup counts as slow, and the next one may start. Default: 2 seconds.
    ///   - maximumQueued: The maximum number of queued names for each family. Default: 1,024.
    ///   - maximumWaiters: The maximum number of waiters in all, including those for the same name. Default: 65,536.
    ///   - lookUp: The blocking lookup.
    package init(
        maximumConcurrent: Int = Bounds.maximumConcurrent, maximumSlow: Int = Bounds.maximumSlow,
        patience: Duration = Bounds.patience,
        maximumQueued: Int = Bounds.maximumQueued, maximumWaiters: Int = Bounds.maximumWaiters, lookUp: @escaping Lookup
    ) {
        self.lookUp = lookUp
        self.patience = patience
        queue = Mutex(
            Queue(
                maximumConcurrent: maximumConcurrent, maximumSlow: maximumSlow, maximumQueued: maximumQueued,
                maximumWaiters: maximumWaiters))
    }

    /// The number of waiters; for tests.
    package var waiting: Int { queue.withLock { $0.waiting } }

    /// Looks up the addresses of one family of a name.
    ///
    /// - Parameters:
    ///   - host: The name.
    ///   - port: The port to put into the addresses.
    ///   - family: The address family.
    ///   - completion: Called exactly once, on any thread.
    /// - Returns: A closure that cancels the wait; `completion` is then called at once with `CancellationError`.
    package func find(
        _ host: String, port: Int, family: AddressFamily, then completion: @escaping @Sendable (Answer) -> Void
    ) -> @Sendable () -> Void {
        let question = Queue.Question(host: host, port: port, family: family)
        let answer = queue.withLock { $0.add(question, waiter: completion) }
        switch answer {
        case .isFull:
            completion(.failure(FullError()))
            return {}
        case .start(let ticket):
            start(question)
            return { self.leave(ticket) }
        case .wait(let ticket): return { self.leave(ticket) }
        }
    }

    private func leave(_ ticket: Queue.Ticket) {
        let completion = queue.withLock { $0.leave(ticket) }
        completion?(.failure(CancellationError()))
    }

    private func start(_ question: Queue.Question) {
        let isOver = AtomicFlag()
        // Each queue has its own thread, so a silent name server blocks neither other names nor the other family of
        // this name, up to the limits.
        DispatchQueue(label: "simorgh.lookup").async {
            let result = Answer { try self.lookUp(question.host, question.port, question.family) }
            isOver.set()
            let (waiters, next) = self.queue.withLock { $0.lookupEnded(question) }
            if let next { self.start(next) }
            for completion in waiters { completion(result) }
        }
        watchForSlowness(question, until: isOver)
    }

    /// Marks the lookup as slow when its time is up, and starts the next one.
    private func watchForSlowness(_ question: Queue.Question, until isOver: AtomicFlag) {
        let patience = TimeAmount(clamping: max(patience, .milliseconds(1)))
        let wait = DispatchTimeInterval.nanoseconds(Int(clamping: patience.nanoseconds))
        DispatchQueue.global().asyncAfter(deadline: .now() + wait) {
            guard !isOver.isSet else { return }
            let (keepsSlot, next) = self.queue.withLock { $0.becameSlow(question) }
            if let next { self.start(next) }
            if keepsSlot { self.watchForSlowness(question, until: isOver) }
        }
    }
}
