// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import Synchronization

extension Interceptor {
    /// Lets each host have so many requests in a time.
    package static func rateLimit(_ limit: RateLimit, _ state: ChainState, _ time: TimeSource) -> Interceptor {
        let limiters = state.value(for: limit) { RateLimiters(limit, time: time) }
        return Interceptor { request, next in
            try await limiters.limiter(for: request).wait(for: request)
            return try await next(request)
        }
    }
}

/// The limiters of all hosts.
package final class RateLimiters: Sendable {
    private let limit: RateLimit
    private let time: TimeSource
    private let hosts = Mutex(OriginTable<RateLimiter>())

    package init(_ limit: RateLimit, time: TimeSource) {
        self.limit = limit
        self.time = time
    }

    fileprivate func limiter(for request: TransportRequest) -> RateLimiter {
        let host = (request.head.authority ?? "").lowercased()
        return hosts.withLock { hosts in
            hosts.update(host, default: { RateLimiter(limit, host: host, time: time) }, { $0 })
        }
    }
}

/// The limit of one host: whoever is first in line sleeps until there is a token, the others wait behind.
private final class RateLimiter: Sendable {
    private let host: String
    private let time: TimeSource
    private let stopwatch: Stopwatch
    private let line: Turnstile
    private let bucket: Mutex<TokenBucket>

    init(_ limit: RateLimit, host: String, time: TimeSource) {
        self.host = host
        self.time = time
        stopwatch = time.stopwatch()
        line = Turnstile(capacity: limit.maximumWaiting)
        bucket = Mutex(TokenBucket(limit))
    }

    func wait(for request: TransportRequest) async throws {
        let deadline = request.options.call?.deadline
        // Whose turn cannot come in time does not stand in the way of others.
        try check(deadline, behind: line.waiting)
        guard try await line.enter() else { throw RateLimitExceeded(host: host, reason: .tooManyWaiting) }
        defer { line.leave() }
        while true {
            let now = stopwatch.elapsed
            guard !bucket.withLock({ $0.take(now: now) }) else { return }
            try check(deadline, behind: 0)
            try await time.sleep(for: bucket.withLock { $0.wait(now: now) })
        }
    }

    private func check(_ deadline: Deadline?, behind others: Int) throws {
        guard let remaining = deadline?.remaining else { return }
        let now = stopwatch.elapsed
        let wait = bucket.withLock { $0.wait(now: now) + $0.interval * others }
        guard wait < remaining || wait == .zero else { throw RateLimitExceeded(host: host, reason: .deadline) }
    }
}
