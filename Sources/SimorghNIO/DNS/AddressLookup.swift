// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore
import NIOPosix
package import SimorghCore
import Synchronization

/// Where the addresses of one dial come from; each family is asked for by itself.
package final class AddressLookup: Sendable {
    package enum Source: Sendable {
        /// Somebody who blocks a thread until he knows them.
        case blocking(LookupDesk)
        case fixed([String])
        case user(any HostResolver)

        static let system = Source.blocking(.system)
    }

    private struct State: Sendable {
        /// What stops what was asked.
        var stops: [@Sendable () -> Void] = []
        var firstAnswer: NIODeadline?
        var isCancelled = false
    }

    private let source: Source
    private let loop: any EventLoop
    private let local: NIOBSDSocket.ProtocolFamily?
    private let started = NIODeadline.now()
    private let state = Mutex(State())

    /// - Parameters:
    ///   - source: Who knows the addresses.
    ///   - loop: Where it is asked.
    ///   - local: The family of the address that is connected from, which the others have to be of.
    package init(_ source: Source, loop: any EventLoop, local: NIOBSDSocket.ProtocolFamily? = nil) {
        self.source = source
        self.loop = loop
        self.local = local
    }

    /// How long it took until there was an address to try.
    var time: Duration? { state.withLock { $0.firstAnswer?.since(started) } }

    /// Nobody waits for the answers any more; a lookup of the system's goes on by itself and is forgotten.
    func cancelQueries() {
        let stops = state.withLock { state in
            state.isCancelled = true
            defer { state.stops = [] }
            return state.stops
        }
        for stop in stops { stop() }
    }

    /// The addresses of a name.
    package func addresses(of host: String, port: Int, _ family: AddressFamily) -> EventLoopFuture<[SocketAddress]> {
        let wanted: NIOBSDSocket.ProtocolFamily = family == .ipv4 ? .inet : .inet6
        if let local, local != wanted { return loop.makeSucceededFuture([]) }
        let answer: EventLoopFuture<[SocketAddress]>
        switch source {
        case .fixed(let texts):
            answer = loop.makeSucceededFuture(texts.compactMap { try? SocketAddress(ipAddress: $0, port: port) })
        case .blocking(let desk): answer = blocking(desk, host, port, family)
        case .user(let resolver): answer = user(resolver, host, port, family)
        }
        return answer.map { addresses in
            let own = addresses.filter { $0.protocol == wanted }
            if !own.isEmpty { self.state.withLock { $0.firstAnswer = $0.firstAnswer ?? .now() } }
            return own
        }
    }

    private func blocking(
        _ desk: LookupDesk, _ host: String, _ port: Int, _ family: AddressFamily
    ) -> EventLoopFuture<[SocketAddress]> {
        let promise = loop.makePromise(of: [SocketAddress].self)
        let stop = desk.find(host, port: port, family) { promise.completeWith($0) }
        keep {
            stop()
            promise.fail(CancellationError())
        }
        return promise.futureResult
    }

    /// Remembers what stops a question, or stops it at once where nobody waits any more.
    private func keep(_ stop: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            if !state.isCancelled { state.stops.append(stop) }
            return state.isCancelled
        }
        if isLate { stop() }
    }

    private func user(
        _ resolver: any HostResolver, _ host: String, _ port: Int, _ family: AddressFamily
    ) -> EventLoopFuture<[SocketAddress]> {
        let promise = loop.makePromise(of: [SocketAddress].self)
        // Owned by this lookup, which cancels it.
        let task = Task {
            do {
                let found = try await resolver.addresses(of: host, family: family)
                promise.succeed(found.compactMap { try? SocketAddress(ipAddress: $0, port: port) })
            } catch {
                promise.fail(error)
            }
        }
        keep {
            task.cancel()
            // Its end may come when the loop is no more.
            promise.fail(CancellationError())
        }
        return promise.futureResult
    }
}
