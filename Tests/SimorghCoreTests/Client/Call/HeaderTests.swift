// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct HeaderTests {
    let transport = StubServer { _ in .status(.noContent) }

    @Test(
        "EK2: CR, LF and NUL in a header field value are refused with an error that names the field but not the value",
        arguments: ["X-Trace", "Authorization"], ["a\r\nX-Evil: 1", "secret\n", "secret\0", "\rsecret"])
    func injection(name: String, value: String) async throws {
        let client = APIClient.scripted(transport)
        let error = await #expect(throws: NetworkError.self) {
            try await client.call(.get, "x", headers: [name: value]).void()
        }
        guard case .invalidRequest(let refusal, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(refusal.reason == .invalidHeader)
        #expect(refusal.message.contains(name))
        #expect(!refusal.message.contains("secret") && !refusal.message.contains("Evil"))
        #expect(transport.requestCount == 0)
    }

    @Test(
        "EK2: a header name that is not a token is refused, also in the client's defaults",
        arguments: ["a b", "", "a\r\nb", "a:"])
    func names(name: String) async throws {
        let client = APIClient.scripted(transport)
        let own = await #expect(throws: NetworkError.self) {
            try await client.call(.get, "x", headers: [name: "v"]).void()
        }
        let defaults = await #expect(throws: NetworkError.self) {
            try await client.with { $0.headers = [name: "v"] }.call(.get, "x").void()
        }
        for error in [own, defaults] {
            guard case .invalidRequest(let refusal, _) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(refusal.reason == .invalidHeader)
        }
        #expect(transport.requestCount == 0)
    }

    @Test("SN3, EK13: the request's field overrides the client's in any case, and Authorization is kept")
    func precedence() async throws {
        let client = APIClient.scripted(transport) {
            $0.headers = ["authorization": "Bearer client", "X-App": "tour", "User-Agent": "app/1"]
        }
        try await client.call(.get, "x", headers: ["Authorization": "Bearer call"]).void()
        let request = try await transport.request(at: 0)
        #expect(request.head.headerFields[values: .authorization] == ["Bearer call"])
        #expect(request.head.headerFields[.app] == "tour")
        #expect(request.head.headerFields[values: .userAgent] == ["app/1"])
    }

    @Test("User-Agent names the library unless it is turned off")
    func userAgent() async throws {
        let client = APIClient.scripted(transport)
        try await client.call(.get, "x").void()
        try await client.with { $0.userAgent = nil }.call(.get, "x").void()
        #expect(try await transport.request(at: 0).header(.userAgent)?.hasPrefix("Simorgh/") == true)
        #expect(try await transport.request(at: 1).header(.userAgent) == nil)
    }

    @Test("EK13: a dynamic base URL is evaluated for each request")
    func dynamicBase() async throws {
        let turn = Counter()
        let client = APIClient.scripted(transport) {
            $0.dynamicBaseURL = { "https://host\(turn.next()).test/api" }
        }
        try await client.call(.get, "x").void()
        try await client.call(.get, "x").void()
        #expect(transport.requests.map(\.url) == ["https://host1.test/api/x", "https://host2.test/api/x"])
    }

    @Test(
        "A dynamic base URL is evaluated once per call, so the credentials match the call's host",
        arguments: [false, true])
    func dynamicBaseOnce(isStream: Bool) async throws {
        let turn = Counter()
        let client = APIClient.scripted(transport) {
            $0.dynamicBaseURL = { "https://host\(turn.next()).test/api" }
            $0.authentication = .bearer("t")
        }
        for count in 1...3 {
            if isStream {
                _ = try await client.call(.get, "x").stream()
            } else {
                try await client.call(.get, "x").void()
            }
            #expect(turn.count == count)
        }
        #expect(transport.requests.allSatisfy { $0.header(.authorization) == "Bearer t" })
    }
}

extension HTTPField.Name {
    fileprivate static var app: HTTPField.Name { HTTPField.Name("X-App") ?? .userAgent }
}
