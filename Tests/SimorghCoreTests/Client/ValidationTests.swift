// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.timeLimit(.minutes(10)))
struct ValidationTests {
    struct Teapot: Error, Equatable {}

    @Test("NET5: a validator refuses XML with status 200; a 500 keeps its own error")
    func validator() async throws {
        let transport = StubServer(precedence: .first)
        transport.on("/xml", response: .bytes(.init("<a/>".utf8)).header(.contentType, value: "application/xml"))
        transport.on("/broken", response: .status(.internalServerError).header(.contentType, value: "application/xml"))
        transport.on("/json", response: .json("{}"))
        let client = APIClient.scripted(transport) {
            $0.interceptors = [
                ResponseValidatorInterceptor(validate: { response in
                    response.header("Content-Type") == "application/xml" ? .invalid(reason: "XML") : .valid
                }).interceptor
            ]
        }
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "xml").void() }
        guard case .validation("XML", let response) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(response.statusCode == 200)
        #expect(response.body == .init("<a/>".utf8))
        let broken = await #expect(throws: NetworkError.self) { try await client.call(.get, "broken").void() }
        #expect(broken?.statusCode == 500)
        guard case .customError = broken else {
            Issue.record("\(String(describing: broken))")
            return
        }
        try await client.call(.get, "json").void()
    }

    @Test("NET5: a validator also sees the response of a step below it, such as a cache")
    func validatesCached() async throws {
        let client = APIClient.scripted(StubServer(precedence: .first)) {
            $0.interceptors = [
                ResponseValidatorInterceptor(validate: { _ in .invalid(reason: "stale") }).interceptor,
                Interceptor { _, _ in TransportResponse(head: HTTPResponse(status: .ok)) },
            ]
        }
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "x").void() }
        guard case .validation("stale", _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(
        "A response whose media type is not accepted is refused, streamed or not",
        arguments: [
            (["application/json"], Optional("application/json; charset=utf-8"), true),
            (["application/json"], "text/html", false), (["application/json"], nil, false),
            (["image/*", "text/css"], "Image/PNG", true), (["image/*"], "images/png", false), (["*/*"], "a/b", true),
            ([], "a/b", false),
        ])
    func contentTypes(wanted: [String], type: String?, passes: Bool) async throws {
        let client = APIClient.scripted(
            StubServer { _ in
                let answer = StubResponse(body: .init("x".utf8))
                return type.map { answer.header(.contentType, value: $0) } ?? answer
            }
        ) { $0.validation.contentTypes = wanted }
        for isStream in [false, true] {
            do {
                if isStream {
                    _ = try await client.call(.get, "x").stream()
                } else {
                    try await client.call(.get, "x").void()
                }
                #expect(passes)
            } catch {
                #expect(!passes)
                guard case NetworkError.validation = error else {
                    Issue.record("\(error)")
                    continue
                }
            }
        }
    }

    @Test("A response without a body is not refused for its media type")
    func empty() async throws {
        let client = APIClient.scripted(StubServer { _ in .status(.noContent) }) {
            $0.validation.contentTypes = ["application/json"]
        }
        try await client.call(.get, "x").void()
    }

    @Test(
        "StatusCodeSet decides which statuses are a success",
        arguments: [
            (StatusCodeSet.success, [200, 204, 299], [199, 300, 404]), (.any, [100, 404, 599], []),
            (StatusCodeSet([200, 304]), [200, 304], [201, 303]), (.init(200...204), [200, 204], [205]),
            (StatusCodeSet([]), [], [200]),
            (StatusCodeSet.success.union([404]), [200, 404], [403]),
        ])
    func statuses(set: StatusCodeSet, inside: [Int], outside: [Int]) {
        #expect(inside.allSatisfy(set.contains))
        #expect(!outside.contains(where: set.contains))
    }

    @Test("The client's error decoder is used if the request has none")
    func errorDecoder() async throws {
        let transport = StubServer(precedence: .first)
        transport.on("/tea", response: .status(.init(code: 418)))
        transport.on("/other", response: .status(.notFound))
        let client = APIClient.scripted(transport) {
            $0.validation.errorDecoder = { $0.statusCode == 418 ? Teapot() : nil }
        }
        let tea = await #expect(throws: NetworkError.self) { try await client.call(.get, "tea").void() }
        #expect(tea?.underlyingError as? Teapot == Teapot())
        let other = await #expect(throws: NetworkError.self) { try await client.call(.get, "other").void() }
        guard case .customError(404, _) = other else {
            Issue.record("\(String(describing: other))")
            return
        }
    }
}
