// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Logging
import SimorghCompatibility
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

/// The log entries about the progress of an upload.
@Suite("Upload progress in the log", .timeLimit(.minutes(5)))
struct UploadProgressLogTests {
    private let box = LogBox()
    private let clock = TestClock()

    private func client(_ level: LogLevel) -> APIClient {
        APIClient.scripted(StubServer { _ in .json(["ok": true]) }) {
            $0.time = clock.timeSource
            $0.logging.level = level
            $0.logging.logger = NetworkLogger([.logger(box.logger)])
        }
    }

    /// Creates chunks of ten bytes, one every tenth of a second.
    private func body(_ pieces: Int, length: Int64? = nil) -> RequestBody {
        .stream(length: length) { [clock] in
            let left = LockedValue(pieces)
            return AsyncThrowingStream<Data, any Error>(unfolding: { () async throws -> Data? in
                clock.advance(by: .milliseconds(100))
                guard left.value > 0 else { return nil }
                left.change { $0 -= 1 }
                return Data(count: 10)
            })
        }
    }

    /// The metadata of each progress entry.
    private var told: [Logger.Metadata] {
        zip(box.texts, box.data).filter { $0.0 == "upload progress" }.map { $0.1 }
    }

    private func values(_ name: String) -> [String] { told.map { $0[name].map { "\($0)" } ?? "" } }

    @Test("Level verbose logs progress at most four times a second, and the end", arguments: [Int64?.some(80), nil])
    func paced(length: Int64?) async throws {
        try await client(.verbose).call(.put, "x", query: ["token": "s3cret"], body: body(8, length: length)).void()
        #expect(values("bytes") == ["10", "40", "70", "80"])
        let total = length == nil ? "unknown" : "80"
        #expect(values("total") == [total, total, total, "80"])
        #expect(Set(values("url")) == ["https://api.test/x?token=[hidden]"])
        #expect(Set(values("call")).count == 1 && !values("call").contains(""))
    }

    @Test("A progress observer gets every update, whatever the log omits")
    func besideObserver() async throws {
        let progress = ProgressLog()
        try await client(.verbose).upload(body(8), to: "x").uploadProgress(delegate: progress).void()
        #expect(progress.all.map(\.sent) == [10, 20, 30, 40, 50, 60, 70, 80, 80])
        #expect(values("bytes") == ["10", "40", "70", "80"])
    }

    @Test("A secret that a step adds to the request is also hidden in the logged URL")
    func secretOfStep() async throws {
        let step = Interceptor { request, next in
            var request = request
            request.head.headerFields[.authorization] = "Bearer s3cret-token"
            return try await next(request)
        }
        let signing = client(.verbose).with { $0.interceptors = [step] }
        try await signing.call(.put, "x/s3cret-token", body: body(8)).void()
        #expect(values("url").count == 4 && !values("url").contains { $0.contains("s3cret-token") })
    }

    @Test("Progress of bytes in memory is logged if they take more than one chunk")
    func inMemory() async throws {
        try await client(.verbose).call(.put, "x", body: .bytes(Data(count: 300_000))).void()
        #expect(values("bytes") == ["65536", "300000"])
    }

    @Test("A body sent in one chunk logs no progress, and neither does any level below verbose")
    func silent() async throws {
        try await client(.verbose).call(.put, "x", body: .text("short")).void()
        #expect(box.texts == ["request", "response"])
        for level in LogLevel.allCases where level < .verbose {
            try await client(level).call(.put, "x", body: body(3)).void()
        }
        #expect(told.isEmpty)
    }
}
