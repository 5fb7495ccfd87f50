// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct TimeSourceTests {
    @Test("sleep(for:) accepts any duration", arguments: [Duration.seconds(Int64.max), .seconds(1e19), .seconds(1e12)])
    func longSleep(duration: Duration) async throws {
        let task = Task { try await TimeSource.system.sleep(for: duration) }
        await yieldToOthers()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let clock = TestClock(movesItself: true)
        try await clock.timeSource.sleep(for: duration)
        #expect(clock.waits == [min(duration, .seconds(3_155_760_000))])
    }

    @Test(
        "An AccessToken with any expiration date has a description",
        arguments: [64_092_211_200, -62_135_769_600, 1e300, -1e300, .infinity, .nan])
    func anyDate(seconds: Double) {
        let token = AccessToken("secret", expiration: Date(timeIntervalSince1970: seconds))
        #expect("\(token)".hasPrefix("token until "))
    }

    @Test("The description of an AccessToken has its expiration as an HTTP date")
    func date() {
        let token = AccessToken("secret", expiration: Date(timeIntervalSince1970: 784_111_777))
        #expect("\(token)" == "token until Sun, 06 Nov 1994 08:49:37 GMT")
    }
}
