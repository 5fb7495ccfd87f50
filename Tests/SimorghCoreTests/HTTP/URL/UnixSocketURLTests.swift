// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghSupport
import SimorghTesting
import Testing

@Suite("Unix socket URLs", .timeLimit(.minutes(10)))
struct UnixSocketURLTests {
    @Test(
        "The socket path is the host, in a normalized form",
        arguments: [
            ("http+unix://%2Frun%2Fbird.sock/nests?a=b#c", "http+unix://%2Frun%2Fbird.sock", "/nests?a=b"),
            ("HTTP+UNIX://%2frun%2Fbird%2Esock", "http+unix://%2Frun%2Fbird.sock", "/"),
            ("https+unix://%2FRun%2Fa%20b%3A1/x", "https+unix://%2FRun%2Fa%20b%3A1", "/x"),
            ("http+unix://relative.sock/", "http+unix://relative.sock", "/"),
        ])
    func parsed(text: String, base: String, target: String) throws {
        let (place, wanted) = try BaseURL.absolute(text)
        #expect("\(place)" == base)
        #expect(wanted == target)
        #expect(try BaseURL(base).authority == place.authority)
        #expect(WebOrigin(text)?.description == base)
    }

    @Test("Any valid socket path survives the host encoding, and an invalid host has no path")
    func path() {
        for path in ["/run/bird.sock", "/tmp/a b/é:1@?#%", "x"] {
            #expect(UnixSocketURL.path(of: UnixSocketURL.host(of: path)) == path)
        }
        for host in ["", "/run/a", "%2", "%zz", "a:80", "u@h", "%00", String(repeating: "a", count: 104), "%FF"] {
            #expect(UnixSocketURL.path(of: host) == nil, "\(host)")
        }
    }

    @Test(
        "A host that is not a path, and a socket path in another scheme, are refused",
        arguments: [
            "http+unix:///run/bird.sock", "http+unix://%2Frun:80/", "http+unix://u@%2Frun/", "http+unix://%2/",
            "http://%2Frun%2Fbird.sock/", "ftp+unix://%2Frun/",
        ])
    func refused(text: String) {
        let error = #expect(throws: InvalidRequestError.self) { try BaseURL.absolute(text) }
        #expect(error?.reason == .invalidURL)
    }

    @Test("Base URLs and absolute URLs with a socket reach it")
    func calls() async throws {
        let transport = StubServer { _ in .status(.ok) }
        let client = APIClient.scripted(transport, baseURL: "http+unix://%2Frun%2Fbird.sock/v1")
        try await client.call(.get, "nests", query: ["a": "b"]).void()
        try await APIClient.scripted(transport, baseURL: nil).call(.get, "http+unix://%2Frun%2Fbird.sock/x").void()
        #expect(
            transport.requests.map(\.url) == [
                "http+unix://%2Frun%2Fbird.sock/v1/nests?a=b", "http+unix://%2Frun%2Fbird.sock/x",
            ])
    }

    @Test("A socket is its own origin for redirects; only its own server may redirect to it")
    func redirects() async throws {
        let own = "http+unix://%2Frun%2Fbird.sock"
        let transport = StubServer(precedence: .first)
        for (path, location) in [
            ("/relative", "/end"), ("/own", "\(own)/end"), ("/other", "http+unix://%2Frun%2Fother.sock/end"),
            ("/case", "http+unix://%2Frun%2FBird.sock/end"), ("/out", "http://api.test/end"),
        ] {
            transport.on(path, response: .status(.found).header(.location, value: location))
        }
        transport.on("/end", response: .status(.ok))
        let client = APIClient.scripted(transport, baseURL: own)
        for path in ["relative", "own", "out"] {
            try await client.call(.get, path, headers: ["Authorization": "Bearer t"]).void()
            let last = transport.requests.last
            #expect(last?.path == "/end")
            #expect(last?.header(.authorization) == (path == "out" ? nil : "Bearer t"))
        }
        for url in ["\(own)/other", "\(own)/case", "http://api.test/own", "https+unix://%2Frun%2Fbird.sock/own"] {
            let error = await #expect(throws: NetworkError.self) {
                try await APIClient.scripted(transport, baseURL: nil).call(.get, url).void()
            }
            guard case .urlError(let cause) = error else { throw error ?? .unknown }
            let refusal = cause.underlying as? RedirectError
            #expect(refusal?.reason == .unsupportedScheme, "\(url) \(String(describing: error))")
        }
    }

    @Test("Cookies of a socket are sent only to it, whatever its file is called")
    func cookies() async throws {
        let transport = StubServer { request in
            switch request.path {
            case "/set": .status(.ok).header(.setCookie, value: "a=1; Path=/")
            case "/wide": .status(.ok).header(.setCookie, value: "b=2; Path=/; Domain=bird.test")
            default: .status(.ok)
            }
        }
        let client = APIClient.scripted(transport, baseURL: nil) { $0.cookies = .memory }
        try await client.call(.get, "http+unix://api.bird.test/set").void()
        try await client.call(.get, "http+unix://api.bird.test/wide").void()
        for url in [
            "http+unix://api.bird.test/", "http+unix://api.Bird.test/", "http://api.bird.test/", "http://bird.test/",
        ] {
            try await client.call(.get, url).void()
        }
        #expect(transport.requests.dropFirst(2).map { $0.header(.cookie) } == ["a=1", nil, nil, nil])
    }
}
