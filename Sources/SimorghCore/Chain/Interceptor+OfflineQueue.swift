// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

extension Interceptor {
    /// Keeps requests while there is no way to the internet.
    ///
    /// - Parameters:
    ///   - rules: How many, and how long.
    ///   - monitor: Knows whether there is a way.
    ///   - state: Where the line of a client and its views is kept.
    ///   - time: Where waits take the time from.
    /// - Returns: The step.
    package static func offlineQueue(
        _ rules: OfflineQueue, _ monitor: NetworkMonitor, _ state: ChainState, _ time: TimeSource
    ) -> Interceptor {
        let key = OfflineLine.Key(rules, monitor)
        let line = state.value(for: key) { OfflineLine(rules, monitor, time) }
        return Interceptor { request, next in try await line.send(request, next) }
    }
}

/// The line of those who wait for the network.
package final class OfflineLine: Sendable {
    /// Which settings share a line.
    package struct Key: Hashable, Sendable {
        private let rules: OfflineQueue
        private let monitor: ObjectIdentifier

        package init(_ rules: OfflineQueue, _ monitor: NetworkMonitor) {
            self.rules = rules
            self.monitor = ObjectIdentifier(monitor)
        }
    }

    private let rules: OfflineQueue
    private let monitor: NetworkMonitor
    private let time: TimeSource
    private let turnstile: Turnstile
    /// So that to look at each request costs nothing.
    private let lease: NetworkMonitor.Lease

    package init(_ rules: OfflineQueue, _ monitor: NetworkMonitor, _ time: TimeSource) {
        self.rules = rules
        self.monitor = monitor
        self.time = time
        lease = monitor.lease()
        // The one whose turn it is waits, too.
        turnstile = Turnstile(capacity: max(0, rules.maximumWaiting - 1))
    }

    /// How many wait, the one whose turn it is with them.
    package var waiting: Int { turnstile.isFree ? 0 : turnstile.waiting + 1 }

    fileprivate func send(_ request: TransportRequest, _ next: Interceptor.Next) async throws -> TransportResponse {
        guard rules.maximumWaiting > 0, Self.mayWait(request) else { return try await next(request) }
        if turnstile.isFree, monitor.connectivity.isConnected {
            do {
                return try await next(request)
            } catch let error as TransportError where Self.isOffline(error) && request.body.replayability != .once {
                // It went while the request did.
                guard !monitor.connectivity.isConnected else { throw error }
                return try await queue(request, next, error)
            }
        }
        return try await queue(request, next, nil)
    }

    private func queue(
        _ request: TransportRequest, _ next: Interceptor.Next, _ earlier: TransportError?
    ) async throws -> TransportResponse {
        let report = WaitReport(request, .network)
        report?.begin()
        defer { report?.end() }
        let deadline = time.deadline(after: rules.longestWait)
        guard try await turnstile.enter() else {
            throw earlier ?? Self.offline(request, "and \(rules.maximumWaiting) requests wait for it already")
        }
        defer { turnstile.leave() }
        while true {
            let limit =
                request.options.call?.deadline.map { min($0.remaining, deadline.remaining) } ?? deadline.remaining
            let isConnected = limit > .zero ? await monitor.waitUntilConnected(timeout: limit) : false
            try Task.checkCancellation()
            if !isConnected {
                if let limit = WaitLimit(request), limit.deadline.remaining == .zero { throw limit.error }
                throw earlier ?? Self.offline(request, "for the longest time that a request may wait")
            }
            report?.end()
            do {
                return try await next(request)
            } catch let error as TransportError where Self.isOffline(error) && request.body.replayability != .once {
                // With a way that leads nowhere it is for others to judge, or this would go round and round.
                guard !monitor.connectivity.isConnected else { throw error }
            }
        }
    }

    private static func mayWait(_ request: TransportRequest) -> Bool {
        guard case .collected = request.options.delivery, request.options.route.unixSocket == nil else { return false }
        let isSafe =
            RequestMethod(rawValue: request.head.method.rawValue).isIdempotent
            || request.head.headerFields[.idempotencyKey] != nil
        return isSafe && !NetworkReach.isNearby(host: request.head.authority ?? "")
    }

    private static func isOffline(_ error: TransportError) -> Bool {
        error.code == .notConnectedToInternet && !error.requestMayHaveBeenSent
    }

    private static func offline(_ request: TransportRequest, _ reason: String) -> TransportError {
        TransportError(
            .notConnectedToInternet, phase: .queue, message: "there is no way to the internet, \(reason)",
            requestMayHaveBeenSent: false)
    }
}
