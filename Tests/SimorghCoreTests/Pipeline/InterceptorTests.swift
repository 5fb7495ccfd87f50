// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.timeLimit(.minutes(10)))
struct InterceptorTests {
    @Test("The first interceptor is the outermost; network interceptors are innermost and see each attempt")
    func order() async throws {
        let notes = PluginCallLog()
        func noting(_ name: String) -> Interceptor {
            Interceptor { request, next in
                notes.add("\(name) in")
                defer { notes.add("\(name) out") }
                return try await next(request)
            }
        }
        let transport = StubServer { _ in .status(.ok) }
        let client = APIClient.scripted(transport) {
            $0.headers = ["X-Default": "yes"]
            $0.interceptors = [
                noting("a"),
                Interceptor { request, next in
                    _ = try await next(request)
                    return try await next(request)
                },
            ]
            $0.networkInterceptors = [
                noting("n"),
                Interceptor { request, next in
                    #expect(request.head.headerFields.contains { $0.name.canonicalName == "x-default" })
                    return try await next(request)
                },
            ]
        }
        let response = try await client.call(.get, "x").response()
        #expect(notes.all == ["a in", "n in", "n out", "n in", "n out", "a out"])
        #expect(transport.requestCount == 2)
        #expect(response.response.statusCode == 200)
    }

    @Test("An interceptor can respond itself, and nothing is sent")
    func answers() async throws {
        let transport = StubServer(precedence: .first)
        let client = APIClient.scripted(transport) {
            $0.interceptors = [
                Interceptor { _, _ in
                    TransportResponse(head: HTTPResponse(status: .ok), body: ResponseBody(Data("mine".utf8)))
                }
            ]
        }
        #expect(try await client.call(.get, "x").data() == Data("mine".utf8))
        #expect(transport.requestCount == 0)
    }

    @Test("An interceptor can change a streamed body chunk by chunk")
    func changesStream() async throws {
        let gate = Gate()
        let client = APIClient.scripted(
            StubServer { _ in
                .chunks([.bytes(Data("one".utf8)), .wait(gate), .bytes(Data("two".utf8))])
            }
        ) {
            $0.interceptors = [
                Interceptor { request, next in
                    var response = try await next(request)
                    response.body = ResponseBody(
                        response.body.map { Data(String(decoding: $0, as: UTF8.self).uppercased().utf8) })
                    return response
                }
            ]
        }
        let response = try await client.call(.get, "x").stream()
        var iterator = response.chunks.makeAsyncIterator()
        #expect(try await iterator.next() == Data("ONE".utf8))
        gate.open()
        #expect(try await iterator.next() == Data("TWO".utf8))
        #expect(try await iterator.next() == nil)
    }

    @Test("UserInfo of a call reaches every step, and no other call")
    func userInfo() async throws {
        enum Name: UserInfo.Key { static let defaultValue = "none" }
        let notes = PluginCallLog()
        let client = APIClient.scripted(StubServer { _ in .status(.ok) }) {
            $0.networkInterceptors = [
                Interceptor { request, next in
                    notes.add(request.options.userInfo[Name.self])
                    return try await next(request)
                }
            ]
        }
        try await client.call(.get, "x").with { $0.userInfo[Name.self] = "profile" }.void()
        try await client.call(.get, "x").void()
        #expect(notes.all == ["profile", "none"])
    }

    @Test("A request that an interceptor builds anew has the UserInfo of its call, except for the keys that it sets")
    func userInfoOfNewRequest() async throws {
        enum Name: UserInfo.Key { static let defaultValue = "none" }
        enum Place: UserInfo.Key { static let defaultValue = "none" }
        let notes = PluginCallLog()
        let client = APIClient.scripted(StubServer { _ in .status(.ok) }) {
            $0.userInfo[Name.self] = "profile"
            $0.userInfo[Place.self] = "call"
            $0.interceptors = [
                Interceptor { request, next in
                    var built = TransportRequest(head: request.head)
                    built.options.userInfo[Place.self] = "interceptor"
                    return try await next(built)
                }
            ]
            $0.networkInterceptors = [
                Interceptor { request, next in
                    notes.add(request.options.userInfo[Name.self])
                    notes.add(request.options.userInfo[Place.self])
                    return try await next(request)
                }
            ]
        }
        try await client.call(.get, "x").void()
        #expect(notes.all == ["profile", "interceptor"])
    }

    @Test("Each call has its own request ID, the same for all its attempts; a request's own ID is kept")
    func requestID() async throws {
        let transport = StubServer { _ in .status(.ok) }
        let client = APIClient.scripted(transport) {
            $0.requestIDHeader = "X-Request-ID"
            $0.networkInterceptors = [
                Interceptor { request, next in
                    _ = try await next(request)
                    return try await next(request)
                }
            ]
        }
        try await client.call(.get, "x").void()
        try await client.call(.get, "x").void()
        try await client.call(.get, "x", headers: ["x-request-id": "own"]).void()
        let ids = transport.requests.map {
            $0.head.headerFields.first { $0.name.canonicalName == "x-request-id" }?.value
        }
        #expect(ids[0] == ids[1] && ids[2] == ids[3] && ids[0] != ids[2])
        #expect(ids[4] == "own" && ids[5] == "own")
        #expect(ids[0].flatMap { UUID(uuidString: $0) } != nil)
    }
}
