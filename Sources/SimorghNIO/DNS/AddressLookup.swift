// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore
import NIOPosix
package import SimorghCore
package import SimorghSupport
import Synchronization

/// The source of the addresses of one dial; each address family is looked up separately.
package final class AddressLookup: Sendable {
    package enum Source: Sendable {
        /// Blocking lookups on the threads of a bounded pool.
        case blocking(ResolverPool)
        case fixed([String])
        case user(any HostResolver)

        static let system = Source.blocking(.system)
    }

    private struct State: Sendable {
        /// The closures that cancel the running lookups.
        var stops: [@Sendable () -> Void] = []
        var firstAnswer: NIODeadline?
        var isCancelled = false
    }

    private let source: Source
    private let loop: any EventLoop
    private let local: NIOBSDSocket.ProtocolFamily?
    private let started = NIODeadline.now()
    private let state = Mutex(State())

    /// Creates a lookup that has not begun.
    ///
    /// - Parameters:
    ///   - source: The source of the addresses.
    ///   - loop: The event loop of the results.
    ///   - local: The family of the local address; only addresses of this family are returned. `nil` for both
    ///     families.
    package init(_ source: Source, loop: any EventLoop, local: NIOBSDSocket.ProtocolFamily? = nil) {
        self.source = source
        self.loop = loop
        self.local = local
    }

    /// Returns true if a host must be looked up before it can be connected to: a name, and on Apple platforms an IPv4
    /// address, for which the system's resolver returns an IPv6 address in networks with NAT64 and without IPv4.
    ///
    /// Addresses of this machine and of private networks are connected to directly, because no NAT64 translates them.
    ///
    /// - Parameters:
    ///   - host: The host.
    ///   - isSystems: True if the system's resolver looks it up. A resolver of the user gets names only.
    ///   - system: The system of the program. Default: the current one.
    /// - Returns: True if it must be looked up.
    package static func isNeeded(
        for host: String, isSystems: Bool, on system: Platform.System = Platform.system
    ) -> Bool {
        guard IPAddress(host) != nil else { return true }
        guard isSystems, system != .other, let address = NumericAddress(host), !address.isIPv6 else { return false }
        return !address.isLoopback && !address.isPrivate && !address.isLinkLocal && !address.isUnspecified
    }

    /// The time until there was an address to try; `nil` before that.
    var time: Duration? { state.withLock { $0.firstAnswer?.since(started) } }

    /// Cancels all lookups; a lookup of the system continues in its thread, and its result is ignored.
    func cancelQueries() {
        let stops = state.withLock { state in
            state.isCancelled = true
            defer { state.stops = [] }
            return state.stops
        }
        for stop in stops { stop() }
    }

    /// Looks up the addresses of a name.
    package func addresses(of host: String, port: Int, family: AddressFamily) -> EventLoopFuture<[SocketAddress]> {
        let wanted: NIOBSDSocket.ProtocolFamily = family == .ipv4 ? .inet : .inet6
        if let local, local != wanted { return loop.makeSucceededFuture([]) }
        let answer: EventLoopFuture<[SocketAddress]>
        switch source {
        case .fixed(let texts):
            answer = loop.makeSucceededFuture(texts.compactMap { try? SocketAddress(ipAddress: $0, port: port) })
        case .blocking(let pool): answer = lookUp(host, port: port, family: family, with: pool)
        case .user(let resolver): answer = lookUp(host, port: port, family: family, with: resolver)
        }
        return answer.map { addresses in
            let own = addresses.filter { $0.protocol == wanted }
            if !own.isEmpty { self.state.withLock { $0.firstAnswer = $0.firstAnswer ?? .now() } }
            return own
        }
    }

    private func lookUp(
        _ host: String, port: Int, family: AddressFamily, with pool: ResolverPool
    ) -> EventLoopFuture<[SocketAddress]> {
        let promise = loop.makePromise(of: [SocketAddress].self)
        let stop = pool.find(host, port: port, family: family) { promise.completeWith($0) }
        storeCancellation {
            stop()
            promise.fail(CancellationError())
        }
        return promise.futureResult
    }

    /// Stores the closure that cancels a lookup; calls it at once if the lookups are already cancelled.
    private func storeCancellation(_ stop: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            if !state.isCancelled { state.stops.append(stop) }
            return state.isCancelled
        }
        if isLate { stop() }
    }

    private func lookUp(
        _ host: String, port: Int, family: AddressFamily, with resolver: any HostResolver
    ) -> EventLoopFuture<[SocketAddress]> {
        let promise = loop.makePromise(of: [SocketAddress].self)
        // This lookup owns the task, and cancels it.
        let task = Task {
            do {
                let found = try await resolver.addresses(of: host, family: family)
                promise.succeed(found.compactMap { try? SocketAddress(ipAddress: $0, port: port) })
            } catch {
                promise.fail(error)
            }
        }
        storeCancellation {
            task.cancel()
            // The task may end after the loop has been shut down.
            promise.fail(CancellationError())
        }
        return promise.futureResult
    }
}
