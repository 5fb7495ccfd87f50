// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

extension StopTheLineTests {
    @Test("A one-shot body is never resent: the caller receives the refused response")
    func once() async throws {
        let transport = StubServer { _ in .status(.unauthorized) }
        let client = APIClient.scripted(transport) { $0.stopTheLine = Line { _, _ in .retry } }
        let chunks = AsyncThrowingStream<Data, any Error> { stream in
            stream.yield(Data("abc".utf8))
            stream.finish()
        }
        let error = await #expect(throws: NetworkError.self) {
            try await client.call(.post, "x", body: .once(chunks)).void()
        }
        #expect(error?.statusCode == 401)
        #expect(transport.requestCount == 1)
    }

    @Test("A stream is evaluated at its head, and repeated before any byte is delivered")
    func streams() async throws {
        let repair = RepairableFault()
        let transport = StubServer { _ in
            repair.isDone ? .text("new") : .text(String(repeating: "x", count: 200_000), status: .unauthorized)
        }
        let client = APIClient.scripted(transport) {
            $0.stopTheLine = Line { _, _ in
                repair.repair()
                return .retry
            }
        }
        let stream = try await client.call(.get, "x").stream()
        #expect(try await stream.chunks.collect(upTo: 100) == Data("new".utf8))
    }

    @Test(
        "The refused response of a stream keeps its whole body if it is used, however large",
        arguments: [0, 10, 200_000])
    func keptStream(size: Int) async throws {
        let transport = StubServer { _ in
            let piece = StubResponse.BodyStep.bytes(Data(repeating: 7, count: size / 10))
            return .chunks(Array(repeating: piece, count: 10), status: .unauthorized)
        }
        let client = APIClient.scripted(transport) {
            // The clock stands still, so the body always arrives in time, even on a busy machine.
            $0.time = TestClock().timeSource
            $0.stopTheLine = Line { _, _ in .useOriginal }
            $0.validation.statusCodes = StatusCodeSet(200..<500)
        }
        let stream = try await client.call(.get, "x").stream()
        #expect(try await stream.chunks.collect(upTo: 1 << 20) == Data(repeating: 7, count: size))
    }

    @Test("Views of a client share its stop-the-line state; another client has its own")
    func views() async throws {
        let (acting, mended) = (Gate(), Gate())
        let clock = TestClock()
        let transport = StubServer { request in
            request.path == "/first" ? .status(.unauthorized) : .status(.ok)
        }
        func make() -> APIClient {
            APIClient.scripted(transport) {
                $0.time = clock.timeSource
                $0.validation.statusCodes = StatusCodeSet(200..<500)
                $0.stopTheLine = Line { _, _ in
                    acting.open()
                    try await mended.wait()
                    return .useOriginal
                }
            }
        }
        let client = make()
        let first = Task { try await client.call(.get, "first").void() }
        try await acting.wait()
        let view = client.with { $0.headers["X-View"] = "1" }
        let second = Task { try await view.call(.get, "second").void() }
        try await clock.sleeping(2)
        try await make().call(.get, "other").void()
        #expect(transport.requestCount == 2)
        mended.open()
        try await first.value
        try await second.value
    }
}
