// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import Testing

/// Redirects and cookies of httpbin, an independent server.
@Suite(.timeLimit(.minutes(10)))
struct RedirectWitnessTests {
    private let client: APIClient

    init() throws {
        client = APIClient(baseURL: try Witness.httpbin.url).with { $0.cookies = .memory }
    }

    private func cookies() async throws -> JSON { try await client.call(.get, "cookies").json()["cookies"] }

    @Test("Cookies set by a redirect are sent to its target and later")
    func set() async throws {
        let answer = try await client.call(.get, "cookies/set/flavour/sa ffron").json()
        #expect(answer["cookies"]["flavour"].string != nil)
        _ = try await client.call(.get, "cookies/set", query: ["a": "1", "b": "2"]).json()
        let kept = try await cookies()
        #expect(kept == ["flavour": "sa ffron", "a": "1", "b": "2"])
    }

    @Test("Deleted cookies are no longer sent")
    func delete() async throws {
        _ = try await client.call(.get, "cookies/set", query: ["a": "1", "b": "2"]).json()
        let left = try await client.call(.get, "cookies/delete", query: ["a": ""]).json()["cookies"]
        #expect(left == ["b": "2"])
    }

    @Test(
        "Relative and absolute redirects are followed",
        arguments: ["redirect/5", "absolute-redirect/5", "relative-redirect/5"])
    func count(path: String) async throws {
        let response = try await client.call(.get, path).decoding(.json).response().response
        #expect(response.redirects.count == 5)
        #expect(response.url == "\(try Witness.httpbin.url)/get")
        #expect(response.attempts == 6)
    }

    @Test(
        "redirect-to keeps the method and body only with 307 and 308",
        arguments: [301, 302, 303, 307, 308])
    func method(status: Int) async throws {
        let base = try Witness.httpbin.url
        let json = try await client.call(
            .post, "redirect-to", query: ["url": "\(base)/anything?x=1", "status_code": "\(status)"],
            body: .text("saffron")
        ).json()
        #expect(json["method"].string == (status < 307 ? "GET" : "POST"))
        #expect(json["data"].string == (status < 307 ? "" : "saffron"))
        #expect(json["args"]["x"] == "1")
    }

    @Test("More redirects than the limit fail, and as many as the limit succeed")
    func limit() async throws {
        let short = client.with { $0.redirects.limit = 4 }
        try await short.call(.get, "redirect/4").void()
        let error = await #expect(throws: NetworkError.self) { try await short.call(.get, "redirect/5").void() }
        #expect((error?.underlyingError as? TransportError)?.code == .httpTooManyRedirects)
    }
}
