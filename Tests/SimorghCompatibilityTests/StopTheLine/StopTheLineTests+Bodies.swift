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
    @Test("A body that can be sent once is never sent again: the caller gets the refusal")
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

    @Test("A stream is judged by its head and repeated before a byte of it is given away")
    func streams() async throws {
        let repair = Repair()
        let transport = StubServer { _ in
            repair.isDone ? .text("new") : .text(String(repeating: "x", count: 200_000), status: .unauthorized)
        }
        let client = APIClient.scripted(transport) {
            $0.stopTheLine = Line { _, _ in
                repair.mend()
                return .retry
            }
        }
        let stream = try await client.call(.get, "x").stream()
        #expect(try await stream.chunks.collect(upTo: 100) == Data("new".utf8))
    }

    @Test("The refused body of a stream comes whole if it is kept, however large", arguments: [0, 10, 200_000])
    func keptStream(size: Int) async throws {
        let transport = StubServer { _ in
            let piece = StubResponse.BodyStep.bytes(Data(repeating: 7, count: size / 10))
            return .chunks(Array(repeating: piece, count: 10), status: .unauthorized)
        }
        let client = APIClient.scripted(transport) {
            // Its time does not pass: however busy the machine is, the body comes in time.
            $0.time = TestClock().timeSource
            $0.stopTheLine = Line { _, _ in .useOriginal }
            $0.validation.statusCodes = StatusCodeSet(200..<500)
        }
        let stream = try await client.call(.get, "x").stream()
        #expect(try await stream.chunks.collect(upTo: 1 << 20) == Data(repeating: 7, count: size))
    }

    @Test("Views of a client share its line; another client has its own")
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
