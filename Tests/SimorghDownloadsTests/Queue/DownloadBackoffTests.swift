// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghDownloads
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DownloadBackoffTests {
    @Test("SIM13: delays of 1, 2 and 4 seconds with jitter, then no further attempt")
    func waits() {
        var backoff = DownloadBackoff(DownloadRetryPolicy())
        #expect((0..<4).map { _ in backoff.failed(fraction: 1) } == [.seconds(1), .seconds(2), .seconds(4), nil])
        var least = DownloadBackoff(DownloadRetryPolicy())
        #expect((least.failed(fraction: 0) ?? .zero) < .milliseconds(101))
    }

    @Test("Received bytes reset the number of attempts")
    func gains() {
        var backoff = DownloadBackoff(DownloadRetryPolicy(maximumAttempts: 1))
        #expect(backoff.failed(fraction: 1) != nil)
        backoff.gained()
        #expect(backoff.failed(fraction: 1) == .seconds(1))
        #expect(backoff.failed(fraction: 1) == nil)
    }

    @Test("Retry-After is honored unless it is too long")
    func wanted() {
        var backoff = DownloadBackoff(DownloadRetryPolicy())
        #expect(backoff.failed(wanted: .seconds(10), fraction: 1) == .seconds(10))
        #expect(backoff.failed(wanted: .seconds(4000), fraction: 1) == nil)
    }

    @Test("Invalid values of a policy are clamped")
    func clamps() {
        let policy = DownloadRetryPolicy(maximumAttempts: -1, initialDelay: -1, multiplier: 0, maximumDelay: -5)
        #expect(policy == DownloadRetryPolicy(maximumAttempts: 0, initialDelay: 0, multiplier: 1, maximumDelay: 0))
        #expect(DownloadRetryPolicy(initialDelay: .nan, multiplier: .nan, maximumDelay: .infinity).initialDelay == 0)
    }

    @Test(
        "A Retry-After longer than the maximum has a reason", arguments: [(86_400, true), (3600, false), (nil, false)])
    func tooLong(seconds: Int?, isRefused: Bool) {
        let reason = DownloadBackoff(DownloadRetryPolicy()).refusal(of: seconds.map { .seconds($0) })
        #expect((reason != nil) == isRefused)
        if isRefused {
            #expect(reason == "it asks to wait 86400 s, longer than the maximum of 3600 s")
        }
    }
}
