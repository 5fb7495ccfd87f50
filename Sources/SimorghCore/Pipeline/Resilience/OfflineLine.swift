// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

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

    /// No retry makes a request wait once more that has waited for as long as it may.
    private struct WaitedInVain: NonRetriableError, CustomStringConvertible {
        let earlier: TransportError?

        var description: String { earlier?.description ?? "waited in vain" }
    }

    /// What came of the wait for the turn.
    private enum Entry { case through, full, late }

    /// How long to wait before a request is tried again that has failed on a way that is told to be there; 100 ms.
    private static let shortestPause = Duration.milliseconds(100)

    private let rules: OfflineQueue
    private let monitor: NetworkMonitor
    private let time: TimeSource
    private let turnstile: Turnstile
    private let order = OfflineOrder()

    package init(_ rules: OfflineQueue, _ monitor: NetworkMonitor, _ time: TimeSource) {
        self.rules = rules
        self.monitor = monitor
        self.time = time
        // The one whose turn it is waits, too.
        turnstile = Turnstile(capacity: max(0, rules.maximumWaiting - 1))
    }

    /// How many wait, the one whose turn it is with them.
    package var waiting: Int { turnstile.isFree ? 0 : turnstile.waiting + 1 }

    package func send(_ request: TransportRequest, _ next: Interceptor.Next) async throws -> TransportResponse {
        guard rules.maximumWaiting > 0, Self.mayWait(request) else { return try await next(request) }
        guard isValue(request) else { return try await send(request, next, nil) }
        let place = order.enter(request.urlString)
        defer { order.leave(place) }
        return try await send(request, next, place)
    }

    private func send(
        _ request: TransportRequest, _ next: Interceptor.Next, _ place: OfflineOrder.Place?
    ) async throws -> TransportResponse {
        let status = await monitor.awaitedGlance()
        if status.isIsolated { return try await queue(request, next, place, nil) }
        // Where some network is there, some hosts may be, whatever the internet is.
        if isInOrder(request), !turnstile.isFree || place.map({ order.hasKept(before: $0) }) == true {
            return try await queue(request, next, place, nil)
        }
        do {
            return try await attempt(request, next, place)
        } catch let error as TransportError where Self.maySendAgain(request, after: error) {
            // With a way that leads nowhere it is for others to judge.
            guard await isOffline() else { throw error }
            return try await queue(request, next, place, error)
        }
    }

    /// Sends a request, which is remembered as sent unless it was not.
    private func attempt(
        _ request: TransportRequest, _ next: Interceptor.Next, _ place: OfflineOrder.Place?
    ) async throws -> TransportResponse {
        guard let place else { return try await next(request) }
        order.send(place)
        do {
            return try await next(request)
        } catch let error as TransportError where !error.requestMayHaveBeenSent {
            order.fail(place)
            throw error
        }
    }

    /// Whether there is no way, and somebody knows that: asked for anew, as what was told last may be a moment old.
    private func isOffline() async -> Bool {
        let status = await monitor.awaitedFreshStatus()
        return !status.isConnected && status.source != .nobody
    }

    /// Whether a request may not pass those that came before it: one that changes something.
    private func isInOrder(_ request: TransportRequest) -> Bool {
        !RequestMethod(rawValue: request.head.method.rawValue).isSafe
    }

    /// Whether a request leaves something at its URL, which another to that URL changes again: what is posted stands by
    /// itself.
    private func isValue(_ request: TransportRequest) -> Bool { isInOrder(request) && request.head.method != .post }

    private func queue(
        _ request: TransportRequest, _ next: Interceptor.Next, _ place: OfflineOrder.Place?, _ earlier: TransportError?
    ) async throws -> TransportResponse {
        if let place { order.keep(place) }
        // Looking is free as long as somebody waits, and whoever comes meanwhile is not tried in vain.
        let lease = monitor.lease()
        defer { withExtendedLifetime(lease) {} }
        let report = WaitReport(request, .network)
        report?.begin()
        defer { report?.end() }
        let deadline = time.deadline(after: rules.longestWait)
        var hasTurn = try await takesTurn(request, deadline, earlier)
        defer {
            if hasTurn {
                // Before the next one looks whether those before it are over.
                if let place { order.leave(place) }
                turnstile.leave()
            }
        }
        while hasTurn {
            let isConnected = await monitor.waitUntilConnected(timeout: Self.left(request, deadline))
            try Task.checkCancellation()
            try Self.checkTime(request)
            guard isConnected else { throw Self.late(earlier) }
            if let place, order.hasEarlier(than: place) {
                // One that was tried when this one came: it may have to wait for the turn, too.
                turnstile.leave()
                hasTurn = false
                guard try await waitsForEarlier(place, request, deadline) else { break }
                hasTurn = try await takesTurn(request, deadline, earlier)
                continue
            }
            try checkOrder(place, earlier)
            report?.end()
            // One that changes nothing holds nobody up once it is on its way, however long its answer takes.
            if !isInOrder(request) {
                turnstile.leave()
                hasTurn = false
            }
            do {
                return try await attempt(request, next, place)
            } catch let error as TransportError where Self.maySendAgain(request, after: error) {
                guard await isOffline() else { throw error }
            }
            try await pause(request, deadline)
            report?.begin()
            if !hasTurn { hasTurn = try await takesTurn(request, deadline, earlier) }
        }
        // Whom the line has no place for, or no more time, waits for an older value in it all the same, while there is time.
        if let place, order.hasKept(before: place) { _ = try await waitsForEarlier(place, request, deadline) }
        try checkOrder(place, earlier)
        report?.end()
        return try await attempt(request, next, place)
    }

    /// Waits until those to the same URL that came before are over.
    ///
    /// - Returns: `false` where the time for that is up.
    private func waitsForEarlier(
        _ place: OfflineOrder.Place, _ request: TransportRequest, _ deadline: Deadline
    ) async throws -> Bool {
        let limit = Self.left(request, deadline)
        guard await time.sleep(for: limit, orUntil: { [order] in await order.untilFirst(place) }) else {
            throw CancellationError()
        }
        try Self.checkTime(request)
        return !order.hasEarlier(than: place)
    }

    /// Keeps a request that was tried before from being sent after one to the same URL that came later.
    private func checkOrder(_ place: OfflineOrder.Place?, _ earlier: TransportError?) throws {
        guard let earlier, let place, order.isOvertaken(place) else { return }
        throw TransportError(
            .notConnectedToInternet, phase: .queue,
            message: "there was no way to the internet, and a later request to the same URL was sent since",
            requestMayHaveBeenSent: false, underlying: WaitedInVain(earlier: earlier))
    }

    /// Waits a moment where whoever watches has not heard yet what was found out just now: what would end the wait for a
    /// way at once, and have the request tried in vain without a pause.
    private func pause(_ request: TransportRequest, _ deadline: Deadline) async throws {
        guard monitor.knownStatus?.isConnected == true else { return }
        let left = Self.left(request, deadline)
        try Self.checkTime(request)
        guard left > .zero else { throw Self.late(nil) }
        try await time.sleep(for: min(Self.shortestPause, left))
    }

    /// Waits for the turn.
    ///
    /// - Returns: `false` where it does not come, and there is a way: those before it are not its business then.
    /// - Throws: Where its time is up, or there is no way either.
    private func takesTurn(
        _ request: TransportRequest, _ deadline: Deadline, _ earlier: TransportError?
    ) async throws -> Bool {
        let entry = try await enter(request, by: deadline)
        guard entry != .through else { return true }
        try Self.checkTime(request)
        guard await isOffline() else { return false }
        guard entry == .full else { throw Self.late(earlier) }
        throw earlier ?? Self.offline("and \(rules.maximumWaiting) requests wait for it already")
    }

    /// Waits for the turn, no longer than the request may.
    private func enter(_ request: TransportRequest, by deadline: Deadline) async throws -> Entry {
        try Task.checkCancellation()
        if turnstile.enterIfFree() { return .through }
        let limit = Self.left(request, deadline)
        return try await withThrowingTaskGroup(of: Entry.self) { group in
            group.addTask { try await self.turnstile.enter() ? .through : .full }
            group.addTask { [time] in
                try await time.sleep(for: limit)
                return .late
            }
            var first: Result<Entry, any Error>?
            var isThrough = false
            while let result = await group.nextResult() {
                group.cancelAll()
                first = first ?? result
                if case .success(.through) = result { isThrough = true }
            }
            // The turn may have come together with the end of the wait, or of the task.
            guard isThrough else { return try first?.get() ?? .late }
            guard !Task.isCancelled else {
                self.turnstile.leave()
                throw CancellationError()
            }
            return .through
        }
    }

    /// How long a request may wait yet.
    private static func left(_ request: TransportRequest, _ deadline: Deadline) -> Duration {
        min(deadline.remaining, request.options.call?.deadline?.remaining ?? .seconds(3_155_760_000))
    }

    private static func checkTime(_ request: TransportRequest) throws {
        if let limit = WaitLimit(request), limit.deadline.remaining == .zero { throw limit.error }
    }

    private static func mayWait(_ request: TransportRequest) -> Bool {
        guard case .collected = request.options.delivery, request.options.waitsForNetwork, !hasOwnWay(request) else {
            return false
        }
        let isSafe =
            RequestMethod(rawValue: request.head.method.rawValue).isIdempotent
            || request.head.headerFields[.idempotencyKey] != nil
        return isSafe && !NetworkReach.isNearby(host: request.head.authority ?? "")
    }

    /// Whether a request goes to somewhere that somebody has named, a proxy or an address: nobody knows whether the internet
    /// is needed for that.
    private static func hasOwnWay(_ request: TransportRequest) -> Bool {
        let route = request.options.route
        guard route != RouteOptions() else { return false }
        let (scheme, authority) = (request.head.scheme ?? "", request.head.authority ?? "")
        guard let parts = try? URLParts("\(scheme)://\(authority)", schemes: ["http", "https"]),
            let way = try? route.route(to: parts.host.lowercased(), port: parts.port, isSecure: scheme == "https")
        else { return false }
        return way.unixSocket != nil || way.proxy != nil || !way.addresses.isEmpty
    }

    /// Whether a request that failed was not sent, for want of a way or of an answer on it, and may be.
    private static func maySendAgain(_ request: TransportRequest, after error: TransportError) -> Bool {
        guard !error.requestMayHaveBeenSent, request.body.replayability != .once else { return false }
        return error.code == .notConnectedToInternet || error.code == .timedOut && error.phase == .connect
    }

    /// The error of a request that has waited for as long as it may.
    ///
    /// - Parameter earlier: What it failed with before it waited.
    /// - Returns: The error, which is not retried.
    private static func late(_ earlier: TransportError?) -> TransportError {
        var error = offline("for the longest time that a request may wait")
        error.underlying = WaitedInVain(earlier: earlier)
        return error
    }

    private static func offline(_ reason: String) -> TransportError {
        TransportError(
            .notConnectedToInternet, phase: .queue, message: "there is no way to the internet, \(reason)",
            requestMayHaveBeenSent: false)
    }
}
