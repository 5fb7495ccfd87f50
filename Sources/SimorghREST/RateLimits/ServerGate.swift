// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// Delays requests until a server's own limits allow them, in order of arrival.
final class ServerGate: Sendable {
    private let rule: RateLimit
    private let host: String
    private let time: TimeSource
    private let stopwatch: Stopwatch
    private let queue: AsyncMutex
    private let state: Mutex<ServerQuota>
    /// Rings when a request has ended.
    private let changes = AsyncSignal()

    init(_ rule: RateLimit, host: String, time: TimeSource, isKnown: Bool) {
        self.rule = rule
        self.host = host
        self.time = time
        stopwatch = time.stopwatch()
        queue = AsyncMutex(capacity: max(0, rule.maximumWaiting - 1))
        state = Mutex(ServerQuota(isKnown: isKnown))
    }

    /// The current limits.
    var limits: [ServerRateLimit] {
        let now = stopwatch.elapsed
        return state.withLock { $0.limits(now: now) }
    }

    /// Waits until the request may be sent, and counts it.
    ///
    /// - Returns: The number of the request.
    func enter(_ request: TransportRequest) async throws -> UInt64 {
        let deadline = request.options.call?.deadline
        let (number, turn) = take(onlyIf: queue.isFree)
        guard case .wait(let wait, let limit, let isCertain) = turn else {
            if let number { return number }
            return try await waitInLine(request, until: deadline, because: nil)
        }
        if isCertain, let deadline, wait >= deadline.remaining { throw error(.deadline) }
        return try await waitInLine(request, until: deadline, because: limit)
    }

    /// Counts the request if it may be sent without a wait.
    ///
    /// - Returns: The number of the request; `nil` if it would have to wait.
    func enterAtOnce() -> UInt64? { take(onlyIf: queue.isFree).0 }

    private func waitInLine(
        _ request: TransportRequest, until deadline: Deadline?, because limit: ServerRateLimit?
    ) async throws -> UInt64 {
        guard rule.maximumWaiting > 0 else { throw error(.tooManyWaiting) }
        let report = WaitReport(request, cause: .serverRateLimit(limit))
        report?.begin()
        defer { report?.end() }
        switch try await queue.enter(within: deadline?.remaining ?? .century, time: time) {
        case .full: throw error(.tooManyWaiting)
        case .timedOut: throw error(.deadline)
        case .acquired: break
        }
        defer { queue.leave() }
        while true {
            let seen = changes.count
            let (number, turn) = take(onlyIf: true)
            if let number { return number }
            guard case .wait(let wait, _, let isCertain) = turn else { continue }
            let remaining = deadline?.remaining ?? .century
            if remaining == .zero || isCertain && wait >= remaining { throw error(.deadline) }
            guard await time.sleep(for: min(wait, remaining), orUntil: { try? await self.changes.wait(after: seen) })
            else { throw CancellationError() }
        }
    }

    /// Counts the request if it may be sent now.
    private func take(onlyIf isNext: Bool) -> (UInt64?, ServerQuota.Turn) {
        let now = stopwatch.elapsed
        return state.withLock { quota in
            let turn = quota.turn(now: now)
            return (isNext && turn == .allowed ? quota.sent(now: now) : nil, turn)
        }
    }

    /// Applies a response to a request, which may be one that was not counted here.
    func answered(_ limits: [ServerRateLimit], to number: UInt64?) {
        let (now, date) = (stopwatch.elapsed, time.now)
        state.withLock {
            $0.answered(limits, to: number, now: now, date: date, longest: rule.maximumServerWait)
        }
        changes.ring()
    }

    /// Ends a request without a response.
    func ended(_ number: UInt64, wasSent: Bool) {
        state.withLock { $0.ended(number, wasSent: wasSent) }
        changes.ring()
    }

    private func error(_ reason: RateLimitExceededError.Reason) -> RateLimitExceededError {
        RateLimitExceededError(host: host, reason: reason)
    }
}
