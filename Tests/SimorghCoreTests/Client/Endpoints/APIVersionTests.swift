// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct APIVersionTests {
    @Test(
        "A version consists of whole path segments with a leading slash",
        arguments: [
            (APIVersion.v1, "/v1"), (.v2, "/v2"), (.custom(path: nil, version: 3), "/v3"),
            (.custom(path: "api", version: 3), "/api/v3"),
            (.custom(path: "/api/", version: 1), "/api/v1"),
            (.custom(path: "//evil.com", version: 2), "/evil.com/v2"), (.custom(path: "", version: 1), "/v1"),
            (.custom(path: "a/b", version: 2), "/a/b/v2"),
        ])
    func paths(version: APIVersion, path: String) {
        #expect(version.path == path)
    }

    @Test(
        "NET14: a version never changes the host",
        arguments: ["@evil.com", ".evil.com", ":80@evil.com", "\\\\evil.com"])
    func sameHost(path: String) throws {
        let version = APIVersion.custom(path: path, version: 1)
        let target = try BaseURL("https://h").target(version: version.path, path: "x")
        #expect(target.hasPrefix("/") && !target.hasPrefix("//") && target.hasSuffix("/v1/x"))
    }
}
