// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct FailureContextTests {
    @Test(
        "FailureContext.url omits credentials and keeps the rest",
        arguments: [
            ("https://user:pass@example.com/a?b#c", "https://example.com/a?b#c"),
            ("https://user@example.com", "https://example.com"),
            ("https://a:p@ss@example.com/x@y", "https://example.com/x@y"),
            ("https://example.com/@user?a=b@c", "https://example.com/@user?a=b@c"),
            ("https://example.com?a@b", "https://example.com?a@b"),
            ("users/a@b.example", "users/a@b.example"), ("", ""), ("://@", "://"),
        ])
    func credentials(url: String, shown: String) {
        #expect(FailureContext(method: "GET", url: url, attempts: 0).url == shown)
    }

    @Test(
        "The description names as much of the request as is known",
        arguments: [
            ("GET", "https://a.test/x?y=z", "GET https://a.test/x?…"), ("GET", "", "GET"), ("", "/x", "/x"),
            ("", "", "the request"),
        ])
    func named(method: String, url: String, name: String) {
        let context = FailureContext(method: method, url: url, attempts: 2, phase: .head)
        #expect(context.description == "\(name), attempts: 2, phase: head")
        #expect(NetworkError.cancelled(context).description == "\(name) was cancelled")
    }
}
