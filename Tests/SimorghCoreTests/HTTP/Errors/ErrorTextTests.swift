// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghTesting
import Testing

/// Error descriptions may be logged, so they contain no credentials.
@Suite(.timeLimit(.minutes(10)))
struct ErrorTextTests {
    static let secret = "hunter2"

    @Test(
        "An error for a URL with user name and password shows neither",
        arguments: [
            ("https://user:\(secret)@api.test", "x"), ("https://\(secret)@api.test", "x"),
            ("user:\(secret)@api.test", "x"),
            ("https://api.test", "https://user:\(secret)@evil.test/x"), (nil, "https://user:\(secret)@api.test/x"),
        ])
    func refusedURL(base: String?, path: String) async throws {
        let client = APIClient.scripted(StubServer { _ in .status(.ok) }, baseURL: base)
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, path).void() }
        guard case .invalidRequest(let refusal, let context) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(refusal.reason == .invalidURL)
        #expect(context.url.contains(".test"))
        for text in ["\(String(describing: error))", context.url, refusal.message] {
            #expect(text.contains(Self.secret) == false)
        }
    }

    @Test(
        "A URL with an at sign in its path is shown unchanged",
        arguments: ["users/@joe", "a:b/@c", "https://h.test/@joe"])
    func atSign(url: String) { #expect(RedactedURL.withoutCredentials(url) == url) }

    @Test("Error descriptions show no query, header field or cookie")
    func text() async throws {
        let refusing = APIClient.scripted(
            StubServer { _ in
                StubResponse(status: .badRequest, headerFields: [.setCookie: "sid=\(Self.secret)"])
            })
        let refused: APIRequest<User, Refusal> = .get("/x?key=\(Self.secret)", headers: ["Authorization": Self.secret])
        let refusal = await #expect(throws: APIClientError<Refusal>.self) { try await refusing.response(for: refused) }
        let losing = APIClient.scripted(StubServer { _ in .timedOut(.head) })
        let loss = await #expect(throws: NetworkError.self) {
            try await losing.call(.get, "x?key=\(Self.secret)", headers: ["Authorization": Self.secret]).void()
        }
        let texts = try [
            "\(#require(refusal))", "\(#require(loss))", "\(#require(loss?.underlyingError))",
            "\(#require(loss?.context))",
        ]
        for text in texts {
            #expect(text.contains("https://api.test/x?…"))
            #expect(text.contains(Self.secret) == false)
        }
    }
}
