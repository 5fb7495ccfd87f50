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
struct RouterTests {
    let transport = StubServer { _ in .json(#"{"id":7,"name":"Zal"}"#) }

    @Test("SIM1, SIM2: a router with query and body sends both, as JSON, and omits nil")
    func queryAndBody() async throws {
        let user: User = try await APIClient.scripted(transport).request(CreateUser())
        #expect(user == User(id: 7, name: "Zal"))
        let request = try await transport.request(at: 0)
        #expect(request.method == .post)
        #expect(request.url == "https://api.test/users?notify=true&page=1")
        #expect(request.header(.contentType) == "application/json")
        #expect(request.header(.accept) == "application/json")
        #expect(try request.json(User.self) == User(id: 7, name: "Zal"))
    }

    @Test("SIM2: an endpoint without parameters sends no body and no question mark")
    func bare() async throws {
        try await APIClient.scripted(transport).call(Bare()).void()
        let request = try await transport.request(at: 0)
        #expect(request.method == .get)
        #expect(request.url == "https://api.test/")
        #expect(request.body.isEmpty)
        #expect(request.header(.contentType) == nil)
    }

    @Test("SIM3: query values are escaped once and numbers stay numbers")
    func escaping() async throws {
        struct Search: NetworkRouter {
            struct Query: Codable { var filter: String, limit: Int, exact: Bool }
            var path: String { "/search" }
            var queryParams: Query? { Query(filter: "special&chars", limit: 1, exact: false) }
        }
        try await APIClient.scripted(transport).call(Search()).void()
        #expect(
            try await transport.request(at: 0).url
                == "https://api.test/search?filter=special%26chars&limit=1&exact=false")
    }

    @Test(
        "SIM4: a version is a separate path segment on the same host",
        arguments: [
            ("https://api.example.com", "https://api.example.com/v2/users"),
            ("https://api.example.com/", "https://api.example.com/v2/users"),
            ("https://api.example.com/root?key=1", "https://api.example.com/root/v2/users?key=1"),
        ])
    func version(base: String, url: String) async throws {
        struct V2Users: NetworkRouter {
            var baseURLString: String
            var version: APIVersion? { .v2 }
            var path: String { "/users" }
        }
        try await APIClient.scripted(transport, baseURL: nil).call(V2Users(baseURLString: base)).void()
        #expect(try await transport.request(at: 0).url == url)
    }

    @Test(
        "A form content type encodes the parameters as a form",
        arguments: [ContentTypeHeaders.formData.value, ContentTypeHeaders.urlEncoded.value])
    func form(type: String) async throws {
        struct Login: NetworkRouter {
            struct Body: Codable { var username: String, password: String, stay: Bool }
            var type: String
            var path: String { "/login" }
            var method: RequestMethod? { .post }
            var headers: [String: String]? { [ContentTypeHeaders.name: type] }
            var params: Body? { Body(username: "a b", password: "p&=+ß", stay: true) }
        }
        try await APIClient.scripted(transport).call(Login(type: type)).void()
        let request = try await transport.request(at: 0)
        #expect(request.header(.contentType) == "application/x-www-form-urlencoded")
        #expect(request.text == "username=a%20b&password=p%26%3D%2B%C3%9F&stay=true")
    }

    @Test(
        "NET14: a path never changes the base host",
        arguments: ["@evil.com/x", #"\\evil.com\x"#, ".evil.com", ":80@evil.com", "/@evil.com"])
    func host(path: String) async throws {
        try await APIClient.scripted(transport).call(.get, path, headers: ["Authorization": "Bearer t"]).void()
        let head = try await transport.request(at: 0).head
        #expect(head.authority == "api.test")
        #expect(head.path?.hasPrefix("/") == true)
        #expect(head.path?.hasPrefix("//") == false)
    }

    @Test(
        "EK1: dot segments are refused in every encoding, before anything is sent",
        arguments: [
            ("a/../b", false), ("..", false), ("a/%2e%2e%2fb", true), ("a/%2E%2E%2Fb", true), ("a/%2e%2e/b", true),
        ])
    func traversal(path: String, isEncoded: Bool) async throws {
        struct Path: NetworkRouter {
            var path: String
            var pathIsPercentEncoded: Bool
        }
        let client = APIClient.scripted(transport)
        let error = await #expect(throws: NetworkError.self) {
            try await client.call(Path(path: path, pathIsPercentEncoded: isEncoded)).void()
        }
        guard case .invalidRequest(let reason, let context) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.reason == .invalidURL)
        #expect(context.attempts == 0)
        #expect(context.method == "GET")
        #expect(context.url.contains("api.test"))
        #expect(transport.requestCount == 0)
    }

    @Test(
        "EK1: segments that only resemble dot segments pass, and an encoded slash is kept",
        arguments: [
            ("compare/v1...v2", false, "/compare/v1...v2"), ("a..b.txt", false, "/a..b.txt"), ("a%2Fb", true, "/a%2Fb"),
        ])
    func notTraversal(path: String, isEncoded: Bool, expected: String) async throws {
        struct Path: NetworkRouter {
            var path: String
            var pathIsPercentEncoded: Bool
        }
        try await APIClient.scripted(transport).call(Path(path: path, pathIsPercentEncoded: isEncoded)).void()
        #expect(try await transport.request(at: 0).head.path == expected)
    }
}
