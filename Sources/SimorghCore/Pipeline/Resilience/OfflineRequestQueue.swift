// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport
import Synchronization

extension Interceptor {
    /// Returns a step that queues requests while there is no internet connection; `nil` if it is turned off.
    static func offlineQueue(
        _ configuration: APIClient.Configuration, state: PipelineState, transport: any Transport
    ) -> Interceptor? {
        guard let rules = configuration.resilience.offlineQueue, let monitor = configuration.networkMonitor else {
            return nil
        }
        let key = OfflineRequestQueue.Key(rules, monitor: monitor)
        let transportWaits = (transport as? any ConnectivityWaitingTransport)?.waitsForConnectivity == true
        let queue = state.value(for: key) {
            OfflineRequestQueue(rules, monitor: monitor, time: configuration.time, transportWaits: transportWaits)
        }
        return Interceptor { request, next in try await queue.send(request, next: next) }
    }
}

/// The queue of requests that wait for the network.
///
/// A transport that can wait by itself knows better than a monitor if a request can be sent: it brings up a VPN on
/// demand, and works where the system reports no network to monitors. The queue then only keeps the order and the
/// number of requests, and the transport waits.
package final class OfflineRequestQueue: Sendable {
    /// The settings that identify a shared queue.
    package struct Key: Hashable, Sendable {
        private let rules: OfflineQueue
        private let monitor: ObjectIdentifier

        package init(_ rules: OfflineQueue, monitor: NetworkMonitor) {
            self.rules = rules
            self.monitor = ObjectIdentifier(monitor)
        }
    }

    /// The cause of a failure after the maximum wait; it is not retriable, so that a retry does not wait once more.
    private struct OfflineWaitError: NonRetriableError, CustomStringConvertible {
        let earlier: TransportError?

        var description: String { earlier?.description ?? "waited for the network without success" }
    }

    /// The minimum pause before a request is tried again that failed although the network is reported as available: 100
    /// ms.
    private static let minimumPause = Duration.milliseconds(100)

    private let rules: OfflineQueue
    private let monitor: NetworkMonitor
    private let time: TimeSource
    private let turnstile: AsyncMutex
    private let order = PerURLOrdering()
    /// True if the transport waits for the network, instead of this queue.
    private let transportWaits: Bool
    /// The number of requests that wait inside the transport.
    private let waitingInTransport = Mutex(0)

    package init(_ rules: OfflineQueue, monitor: NetworkMonitor, time: TimeSource, transportWaits: Bool = false) {
        self.rules = rules
        self.transportWaits = transportWaits
        self.monitor = monitor
        self.time = time
        // The request whose turn it is counts as waiting, too.
        turnstile = AsyncMutex(capacity: max(0, rules.maximumWaiting - 1))
    }

    /// The number of requests that wait in this queue, including the one whose turn it is, which may be inside the
    /// transport.
    package var waiting: Int { turnstile.isFree ? 0 : turnstile.waiting + 1 }

    package func send(_ request: TransportRequest, next: Interceptor.Next) async throws -> TransportResponse {
        guard rules.maximumWaiting > 0, Self.mayWait(request) else { return try await next(request) }
        guard changesState(request) else { return try await send(request, next: next, position: nil) }
        let position = order.enter(request.urlString)
        defer { order.leave(position) }
        return try await send(request, next: next, position: position)
    }

    private func send(
        _ request: TransportRequest, next: Interceptor.Next, position: PerURLOrdering.Position?
    ) async throws -> TransportResponse {
        if !transportWaits, await monitor.awaitedQuickStatus().isIsolated {
            return try await queue(request, next: next, position: position, earlier: nil)
        }
        // With some network some hosts may be reachable, even without an internet connection.
        if isInOrder(request), !turnstile.isFree || position.map({ order.hasWaiting(before: $0) }) == true {
            return try await queue(request, next: next, position: position, earlier: nil)
        }
        do {
            return try await attempt(request, next: next, position: position)
        } catch let error as TransportError where Self.maySendAgain(request, after: error) {
            // With an internet connection the failure is not handled here.
            guard !transportWaits, await isOffline() else { throw error }
            return try await queue(request, next: next, position: position, earlier: error)
        }
    }

    /// Sends a request, and records it as sent unless it fails before it was sent.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - next: The rest of the pipeline.
    ///   - position: The position among the requests to the same URL; `nil` if the order does not matter.
    ///   - deadline: The end of the time for which it may wait, if it has waited before.
    /// - Returns: The response.
    /// - Throws: The error of the attempt.
    private func attempt(
        _ request: TransportRequest, next: Interceptor.Next, position: PerURLOrdering.Position?,
        by deadline: Deadline? = nil
    ) async throws -> TransportResponse {
        var request = request
        let isTurnTaken = Mutex(false)
        if transportWaits {
            // The wait for the turn and the wait inside the transport are one wait.
            request.options.connectivityWait = connectivityWait(of: request, by: deadline) {
                [isInOrder = isInOrder(request)] in
                if let position { self.order.beginWait(position) }
                if isInOrder { isTurnTaken.withLock { $0 = self.turnstile.tryLock() } }
            }
        }
        defer {
            request.options.connectivityWait?.end()
            if isTurnTaken.withLock(\.self) {
                if let position { order.leave(position) }
                turnstile.leave()
            }
        }
        guard let position else { return try await next(request) }
        order.send(position)
        do {
            return try await next(request)
        } catch let error as TransportError where !error.requestMayHaveBeenSent {
            order.fail(position)
            throw error
        }
    }

    /// Returns the permission of a request to wait inside the transport.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - deadline: The end of the wait, if it has waited for its turn: there is room for it then. `nil` for
    ///     ``OfflineQueue/maximumWait``.
    ///   - onBegin: Called when it begins to wait. The first request whose order matters takes the turn, so that later
    ///     ones are queued until its response has arrived.
    /// - Returns: The permission.
    private func connectivityWait(
        of request: TransportRequest, by deadline: Deadline?, onBegin: @escaping @Sendable () -> Void
    ) -> ConnectivityWait {
        ConnectivityWait(
            limit: deadline?.remaining ?? rules.maximumWait, timeoutError: waitTimeoutError(after: nil),
            report: WaitReport(request, cause: .network)
        ) {
            let isAdmitted = self.waitingInTransport.withLock { count in
                let others = count + self.turnstile.waiting
                guard deadline != nil || others < self.rules.maximumWaiting else { return false }
                count += 1
                return true
            }
            guard isAdmitted else { return self.fullError }
            onBegin()
            return nil
        } onEnd: {
            self.waitingInTransport.withLock { $0 -= 1 }
        }
    }

    /// Returns true if there is certainly no internet connection, by a fresh query, since the last status may be
    /// outdated.
    ///
    /// With a connection on demand, waiting helps nothing: only an attempt brings it up.
    private func isOffline() async -> Bool {
        let status = await monitor.awaitedFreshStatus()
        return !status.mayConnect && status.source != .unavailable
    }

    /// Returns true if a request must not pass earlier ones, because its method is not safe.
    private func isInOrder(_ request: TransportRequest) -> Bool {
        !RequestMethod(rawValue: request.head.method.rawValue).isSafe
    }

    /// Returns true if a request changes the state of its URL, so that requests to that URL must keep their order.
    ///
    /// A POST is excluded, since it stands alone.
    private func changesState(_ request: TransportRequest) -> Bool {
        isInOrder(request) && request.head.method != .post
    }

    private func queue(
        _ request: TransportRequest, next: Interceptor.Next, position: PerURLOrdering.Position?,
        earlier: TransportError?
    ) async throws -> TransportResponse {
        if let position { order.beginWait(position) }
        // Keeps the monitor running while requests wait: its status is cheap to read, and new requests are queued
        // without a futile attempt.
        let lease = monitor.lease()
        defer { withExtendedLifetime(lease) {} }
        let report = WaitReport(request, cause: .network)
        report?.begin()
        defer { report?.end() }
        let deadline = time.deadline(after: rules.maximumWait)
        var hasTurn = try await acquiresTurn(request, by: deadline, earlier: earlier)
        defer {
            if hasTurn {
                // Before the next request checks for earlier ones.
                if let position { order.leave(position) }
                turnstile.leave()
            }
        }
        while hasTurn {
            var isConnected = transportWaits
            if !isConnected {
                isConnected = await monitor.waitUntilConnected(
                    timeout: Self.remainingTime(for: request, until: deadline))
            }
            try Task.checkCancellation()
            try Self.checkTime(request)
            guard isConnected else { throw waitTimeoutError(after: earlier) }
            if let position, order.hasEarlier(than: position) {
                // An earlier request was in flight when this one arrived; it may need the turn itself.
                turnstile.leave()
                hasTurn = false
                guard try await waitsForEarlier(than: position, request: request, by: deadline) else { break }
                hasTurn = try await acquiresTurn(request, by: deadline, earlier: earlier)
                continue
            }
            try checkOrder(position, earlier: earlier)
            report?.end()
            // A safe request delays no others once it is sent, however long its response takes.
            if !isInOrder(request) {
                turnstile.leave()
                hasTurn = false
            }
            do {
                return try await attempt(request, next: next, position: position, by: deadline)
            } catch let error as TransportError where Self.maySendAgain(request, after: error) {
                guard !transportWaits, await isOffline() else { throw error }
            }
            try await pause(request, by: deadline)
            report?.begin()
            if !hasTurn { hasTurn = try await acquiresTurn(request, by: deadline, earlier: earlier) }
        }
        // A request that could not be queued still waits for earlier requests to the same URL, until its deadline.
        if let position, order.hasWaiting(before: position) {
            _ = try await waitsForEarlier(than: position, request: request, by: deadline)
        }
        try checkOrder(position, earlier: earlier)
        report?.end()
        return try await attempt(request, next: next, position: position, by: deadline)
    }

    /// Waits until all earlier requests to the same URL have ended.
    ///
    /// - Returns: `false` if the time is up.
    private func waitsForEarlier(
        than position: PerURLOrdering.Position, request: TransportRequest, by deadline: Deadline
    ) async throws -> Bool {
        let limit = Self.remainingTime(for: request, until: deadline)
        guard await time.sleep(for: limit, orUntil: { [order] in await order.untilFirst(position) }) else {
            throw CancellationError()
        }
        try Self.checkTime(request)
        return !order.hasEarlier(than: position)
    }

    /// Prevents a request that was tried before from being sent after a later one to the same URL.
    private func checkOrder(_ position: PerURLOrdering.Position?, earlier: TransportError?) throws {
        guard let earlier, let position, order.isSuperseded(position) else { return }
        throw TransportError(
            .notConnectedToInternet, phase: .queue,
            message: "there was no internet connection, and a later request to the same URL has been sent since",
            requestMayHaveBeenSent: false, underlying: OfflineWaitError(earlier: earlier))
    }

    /// Pauses if the monitor still reports a connection, although a fresh query found none.
    ///
    /// The wait for a connection would end at once, and the request would be tried repeatedly without a pause.
    private func pause(_ request: TransportRequest, by deadline: Deadline) async throws {
        guard monitor.knownStatus?.mayConnect == true else { return }
        let remaining = Self.remainingTime(for: request, until: deadline)
        try Self.checkTime(request)
        guard remaining > .zero else { throw waitTimeoutError(after: nil) }
        try await time.sleep(for: min(Self.minimumPause, remaining))
    }

    /// Waits for the turn.
    ///
    /// - Returns: `false` if the turn does not come but there is a connection; the request need not wait for it then.
    /// - Throws: An error if the time is up, or there is no connection either.
    private func acquiresTurn(
        _ request: TransportRequest, by deadline: Deadline, earlier: TransportError?
    ) async throws -> Bool {
        let entry = try await enter(request, by: deadline)
        guard entry != .acquired else { return true }
        try Self.checkTime(request)
        if !transportWaits, await !isOffline() { return false }
        guard entry == .full else { throw waitTimeoutError(after: earlier) }
        throw earlier ?? fullError
    }

    /// The error of a request that finds the queue full.
    private var fullError: TransportError {
        offlineError("and \(rules.maximumWaiting) requests wait for it already")
    }

    /// Waits for the turn, at most until the request's deadline.
    private func enter(_ request: TransportRequest, by deadline: Deadline) async throws -> AsyncMutex.Entry {
        try Task.checkCancellation()
        if turnstile.tryLock() { return .acquired }
        let inTransport = waitingInTransport.withLock(\.self)
        if inTransport > 0, inTransport + turnstile.waiting >= rules.maximumWaiting { return .full }
        return try await turnstile.enter(within: Self.remainingTime(for: request, until: deadline), time: time)
    }

    /// Returns the remaining time for which a request may wait.
    private static func remainingTime(for request: TransportRequest, until deadline: Deadline) -> Duration {
        min(deadline.remaining, request.options.call?.deadline?.remaining ?? .century)
    }

    private static func checkTime(_ request: TransportRequest) throws {
        if let limit = WaitLimit(request), limit.deadline.remaining == .zero { throw limit.error }
    }

    private static func mayWait(_ request: TransportRequest) -> Bool {
        guard case .collected = request.options.delivery, request.options.waitsForNetwork, !usesCustomRoute(request)
        else {
            return false
        }
        let isSafe =
            RequestMethod(rawValue: request.head.method.rawValue).isIdempotent
            || request.isProtectedByKey
        return isSafe && !HostReachability.isNearby(host: request.head.authority ?? "")
    }

    /// Returns true if a request uses a proxy, a Unix socket or explicit addresses: it may not need the internet.
    private static func usesCustomRoute(_ request: TransportRequest) -> Bool {
        let route = request.options.route
        guard route != RouteOptions() else { return false }
        let (scheme, authority) = (request.head.scheme ?? "", request.head.authority ?? "")
        guard let parts = try? URLParts("\(scheme)://\(authority)", schemes: ["http", "https"]),
            let resolved = try? route.route(to: parts.host.lowercased(), port: parts.port, isSecure: scheme == "https")
        else { return false }
        return resolved.unixSocket != nil || resolved.proxy != nil || !resolved.addresses.isEmpty
    }

    /// Returns true if a request failed before it was sent, because there was no connection, and may be sent again.
    private static func maySendAgain(_ request: TransportRequest, after error: TransportError) -> Bool {
        guard !error.requestMayHaveBeenSent, request.body.replayability != .once else { return false }
        return error.code == .notConnectedToInternet || error.code == .timedOut && error.phase == .connect
    }

    /// Returns the error of a request that has waited for the maximum time.
    ///
    /// - Parameter earlier: The error of the attempt before the wait.
    /// - Returns: The error, which is not retriable.
    private func waitTimeoutError(after earlier: TransportError?) -> TransportError {
        var error = offlineError("and the request has waited for the maximum time")
        error.underlying = OfflineWaitError(earlier: earlier)
        return error
    }

    private func offlineError(_ reason: String) -> TransportError {
        let cause = monitor.knownStatus?.explanation.map { " (\($0))" } ?? ""
        return TransportError(
            .notConnectedToInternet, phase: .queue, message: "there is no internet connection\(cause), \(reason)",
            requestMayHaveBeenSent: false)
    }
}
