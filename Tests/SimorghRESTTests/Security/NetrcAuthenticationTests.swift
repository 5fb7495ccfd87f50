// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghREST
import SimorghTesting
import TestSupport
import Testing

@Suite("Authentication by .netrc", .timeLimit(.minutes(5)))
struct NetrcAuthenticationTests {
    private static let netrc = """
        machine a.example login zal password feather
        machine b.example login rostam password rakhsh
        machine localhost login local password host
        machine nothing.example account x
        default login everybody password secret
        """

    private static func credential(_ text: String) -> String { "Basic \(Data(text.utf8).base64EncodedString())" }

    @Test(
        "Each host gets exactly its own credentials, over https or to this machine",
        arguments: [
            ("https://a.example/", "zal:feather"), ("https://A.Example.:8443/", "zal:feather"),
            ("https://b.example/", "rostam:rakhsh"), ("https://www.a.example/", nil), ("https://example/", nil),
            ("https://nothing.example/", nil), ("https://other.example/", nil), ("http://a.example/", nil),
            ("http://localhost:8080/", "local:host"), ("https://a.example.evil/", nil),
            ("http+unix://%2Fa.example/", nil),
        ])
    func hosts(url: String, credential: String?) async throws {
        let server = StubServer { _ in .text("") }
        let netrc = try Netrc(Self.netrc)
        let client = APIClient.scripted(server, baseURL: nil) { $0.authentication = .netrc(netrc) }
        try await client.call(.get, url).void()
        #expect(server.requests.first?.head.headerFields[.authorization] == credential.map(Self.credential))
        // The base URL does not limit the hosts, since each has its own entry.
        let based = APIClient.scripted(server, baseURL: url) { $0.authentication = .netrc(netrc) }
        try await based.call(.get, "").void()
        #expect(server.requests.last?.head.headerFields[.authorization] == credential.map(Self.credential))
    }

    @Test("Over http a password is sent only if the program wants that, or to a known HSTS host, over https")
    func plain() async throws {
        let server = StubServer { _ in .text("") }
        let netrc = try Netrc(Self.netrc)
        let client = APIClient.scripted(server, baseURL: nil) {
            $0.authentication = .netrc(netrc, overPlainHTTP: true)
        }
        try await client.call(.get, "http://a.example/").void()
        #expect(server.requests.last?.head.headerFields[.authorization] == Self.credential("zal:feather"))
        let store = HSTSStore()
        store.add("a.example", for: .seconds(100))
        let secure = APIClient.scripted(server, baseURL: nil) {
            $0.authentication = .netrc(netrc)
            $0.hsts = store
        }
        try await secure.call(.get, "http://a.example/").void()
        #expect(server.requests.last?.head.scheme == "https")
        #expect(server.requests.last?.head.headerFields[.authorization] == Self.credential("zal:feather"))
    }

    @Test("The request's own credentials are kept")
    func own() async throws {
        let server = StubServer { _ in .text("") }
        let netrc = try Netrc(Self.netrc)
        let client = APIClient.scripted(server, baseURL: nil) { $0.authentication = .netrc(netrc) }
        try await client.call(.get, "https://a.example/", headers: ["Authorization": "Bearer x"]).void()
        #expect(server.requests.last?.head.headerFields[.authorization] == "Bearer x")
    }

    @Test(
        "A redirect to another origin gets no credentials, even with an entry of its own",
        arguments: [
            ("https://b.example/", nil), ("https://a.example:8443/", nil), ("https://other.example/", nil),
            ("/again", "zal:feather"),
        ])
    func redirects(target: String, credential: String?) async throws {
        let server = StubServer { request in
            request.index == 0 ? StubResponse(status: .found, headerFields: [.location: target]) : .text("")
        }
        let netrc = try Netrc(Self.netrc)
        let client = APIClient.scripted(server, baseURL: nil) { $0.authentication = .netrc(netrc) }
        try await client.call(.get, "https://a.example/").void()
        #expect(
            server.requests.map { $0.head.headerFields[.authorization] } == [
                Self.credential("zal:feather"), credential.map(Self.credential),
            ])
    }
}
