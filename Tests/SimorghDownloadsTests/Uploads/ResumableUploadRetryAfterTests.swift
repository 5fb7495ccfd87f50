// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghDownloads
import SimorghTesting
import TestSupport
import Testing

@Suite("ResumableUpload: Retry-After", .timeLimit(.minutes(5)))
struct ResumableUploadRetryAfterTests {
    private let server = FakeTus()
    private let store = MemoryUploadStore()
    private let clock = TestClock(movesItself: true)
    private let file = TemporaryFile(Data(count: 1000))

    private var client: APIClient { APIClient.scripted(server.transport) { $0.time = clock.timeSource } }

    private func upload() -> ResumableUpload {
        var upload = ResumableUpload(file: file.path, to: "files")
        upload.store = store
        upload.chunkSize = 300
        return upload
    }

    @Test(
        "Retry-After sets the delay; one that is too long ends the upload at once", arguments: [(2, true), (31, false)])
    func retryAfter(seconds: Int, goesOn: Bool) async throws {
        server.fail("PATCH", .status(503, ["Retry-After": "\(seconds)"]))
        let receipt = try? await client.upload(upload())
        #expect((receipt != nil) == goesOn)
        #expect(clock.waits.count == (goesOn ? 1 : 0))
    }

    @Test(
        "A malformed Retry-After is ignored, a date is respected, and a number beyond 64 bits is too long",
        arguments: [
            ("-5", 1.0), ("5.5", 1), ("soon", 1), ("", 1), ("1, 2", 1), (" 7 ", 7),
            ("Fri, 31 Dec 1999 23:59:59 GMT", 0),
            ("Thu, 01 Jan 2026 00:00:20 GMT", 20), ("Thu, 01 Jan 2026 00:00:31 GMT", nil),
            ("Fri, 31 Dec 9999 23:59:59 GMT", nil), ("9223372036854775807", nil), ("99999999999999999999", nil),
        ] as [(String, Double?)])
    func malformedRetryAfter(value: String, longest: Double?) async throws {
        server.fail("PATCH", .status(503, ["Retry-After": value]))
        let receipt = try? await client.upload(upload())
        #expect((receipt != nil) == (longest != nil))
        let waits = clock.waits.map { $0 / .seconds(1) }
        // A date in the past means no wait.
        #expect(waits.count == (longest ?? 0 > 0 ? 1 : 0))
        for (wait, longest) in zip(waits, [longest ?? 0]) { #expect((longest * 0.75...longest).contains(wait)) }
    }
}
