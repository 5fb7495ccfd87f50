// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport
import SimorghTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RouterTests {
    private static let router = Router([
        Route(.get, path: "/{any}/b") { _ in .status(205) }, Route(.get, path: "/a/*") { _ in .status(206) },
        Route(.get, path: "/a/{x}") { _ in .status(201) }, Route(nil, path: "/a/b") { _ in .status(202) },
        Route(.post, path: "/a/{x}") { _ in .status(203) }, Route(.get, path: "/") { _ in .status(204) },
    ])

    @Test(
        "The first matching route answers, for HEAD that of GET; other methods receive 405, other paths 404",
        arguments: [
            ("GET", "/a/b", "205"), ("GET", "/z/b", "205"), ("GET", "/a/c", "206"), ("GET", "/a", "206"),
            ("HEAD", "/a/c", "206"), ("POST", "/a/b", "202"), ("POST", "/a/c", "203"), ("GET", "/", "204"),
            ("HEAD", "/", "204"), ("POST", "/", "405 GET, HEAD, OPTIONS"), ("OPTIONS", "/", "200 GET, HEAD, OPTIONS"),
            ("PUT", "/a/c", "405 GET, HEAD, POST, OPTIONS"), ("GET", "/z", "404"), ("GET", "/z/c", "404"),
        ])
    func order(method: String, path: String, expected: String) throws {
        let head = HTTPRequest(
            method: try #require(.init(method)), scheme: "http", authority: "a.test", path: path)
        let answer = Self.router.answer(to: RecordedRequest(index: 0, head: head, body: Data()))
        let allow = answer.headerFields[.allow].map { " \($0)" } ?? ""
        #expect("\(answer.status.code)\(allow)" == expected)
    }
}
