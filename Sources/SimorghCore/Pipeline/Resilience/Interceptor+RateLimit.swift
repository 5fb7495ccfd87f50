// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
package import SimorghSupport
import Synchronization

extension Interceptor {
    /// Returns a step that limits the rate of requests to each origin; `nil` if there is no limit.
    static func rateLimit(_ configuration: APIClient.Configuration, state: PipelineState) -> Interceptor? {
        guard let limit = configuration.resilience.rateLimit else { return nil }
        let limiters = RateLimiters.of(limit, state: state, time: configuration.time)
        return Interceptor { request, next in
            let limiter = limiters.limiter(for: request.head)
            let send: Next = { request in
                try await limiter.wait(for: request)
                return try await next(request)
            }
            guard let server = limiter.server else { return try await send(request) }
            return try await server.send(request, next: send)
        }
    }
}

/// The rate limiters of all origins.
package final class RateLimiters: Sendable {
    private let limit: RateLimit
    private let time: TimeSource
    private let origins = Mutex(OriginLRU<RateLimiter>())

    package init(_ limit: RateLimit, time: TimeSource) {
        self.limit = limit
        self.time = time
    }

    /// Returns the limiters of a client's limit.
    package static func of(_ limit: RateLimit, state: PipelineState, time: TimeSource) -> RateLimiters {
        state.value(for: limit) { RateLimiters(limit, time: time) }
    }

    fileprivate func limiter(for head: HTTPRequest) -> RateLimiter {
        origins.withLock { origins in
            let host = (head.authority ?? "").lowercased()
            return origins.update(head.origin, default: { RateLimiter(limit, host: host, time: time) }, with: { $0 })
        }
    }

    /// Returns the limits that the server of a request has stated.
    package func serverLimits(to head: HTTPRequest) -> [ServerRateLimit] {
        origins.withLock { $0.peek(head.origin) }?.server?.limits ?? []
    }
}

/// The rate limiter of one origin: the first waiter sleeps until a token is available, the others queue behind it.
private final class RateLimiter: Sendable {
    private struct State {
        var bucket: TokenBucket
        /// The number of waiters, including the one that sleeps.
        var waiting = 0
    }

    private enum Admission { case allowed, wait, full, tooLate }

    /// The limits of the server; `nil` if they are not followed.
    let server: (any ServerLimiter)?
    private let host: String
    private let time: TimeSource
    private let stopwatch: Stopwatch
    private let capacity: Int
    private let queue = AsyncMutex(capacity: .max)
    private let state: Mutex<State>

    init(_ limit: RateLimit, host: String, time: TimeSource) {
        self.host = host
        self.time = time
        server = limit.serverLimiters?.make(limit, host, time)
        stopwatch = time.stopwatch()
        capacity = max(0, limit.maximumWaiting)
        state = Mutex(State(bucket: TokenBucket(limit)))
    }

    func wait(for request: TransportRequest) async throws {
        let deadline = request.options.call?.deadline
        let (now, remaining) = (stopwatch.elapsed, deadline?.remaining)
        let admission: Admission = state.withLock { state in
            // Earlier requests go first.
            if state.waiting == 0, state.bucket.take(now: now) { return .allowed }
            // A request whose turn cannot come before its deadline must not delay others.
            let wait = state.bucket.wait(now: now) + state.bucket.interval * state.waiting
            if let remaining, wait >= remaining { return .tooLate }
            guard state.waiting < capacity else { return .full }
            state.waiting += 1
            return .wait
        }
        switch admission {
        case .allowed: return
        case .full: throw RateLimitExceededError(host: host, reason: .tooManyWaiting)
        case .tooLate: throw RateLimitExceededError(host: host, reason: .deadline)
        case .wait: break
        }
        defer { state.withLock { $0.waiting -= 1 } }
        let report = WaitReport(request, cause: .rateLimit)
        report?.begin()
        defer { report?.end() }
        _ = try await queue.enter()
        defer { queue.leave() }
        while true {
            let now = stopwatch.elapsed
            let wait: Duration? = state.withLock { $0.bucket.take(now: now) ? nil : $0.bucket.wait(now: now) }
            guard let wait else { return }
            if let deadline, wait >= deadline.remaining { throw RateLimitExceededError(host: host, reason: .deadline) }
            try await time.sleep(for: wait)
        }
    }
}

/// A token bucket, which counts in time instead of tokens to avoid rounding errors.
package struct TokenBucket: Sendable, Equatable {
    /// The time after which one token is added.
    package let interval: Duration
    /// The time by which the last token of a full bucket is ahead of the average rate.
    private let tolerance: Duration
    /// The time at which the bucket will be full again.
    private var full: Duration = .zero

    package init(_ limit: RateLimit) {
        let period = max(.nanoseconds(1), min(limit.period, .seconds(31_536_000)))
        interval = max(.nanoseconds(1), period / max(1, limit.requests))
        tolerance = interval * (min(max(1, limit.burst), 1_000_000_000) - 1)
    }

    /// Returns the time until a token is available; zero if one is available now.
    package func wait(now: Duration) -> Duration { max(.zero, full - tolerance - now) }

    /// Takes a token.
    ///
    /// - Returns: True if a token was available.
    package mutating func take(now: Duration) -> Bool {
        guard wait(now: now) == .zero else { return false }
        full = max(full, now) + interval
        return true
    }
}
