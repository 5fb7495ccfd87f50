// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct TokenPluginTests {
    typealias Token = Plugins.TokenPlugin

    @Test(
        "SMA16: a token in a header field is set, set if absent, or added",
        arguments: [
            (Token.Operation.set("X-Key"), Optional("new"), ["new"]), (.trySet("X-Key"), "new", ["old"]),
            (.add("X-Key"), "new", ["old", "new"]), (.set("X-Key"), nil, ["old"]), (.trySet("X-Other"), "new", ["old"]),
        ])
    func header(operation: Token.Operation, token: String?, values: [String]) async throws {
        let transport = StubServer { _ in .status(.ok) }
        try await APIClient.scripted(transport).call(.get, "x", headers: ["x-key": "old"])
            .plugins([Token(type: .header(operation)) { token }]).void()
        let sent = try await transport.request(at: 0)
        #expect(sent.head.headerFields.filter { $0.name.canonicalName == "x-key" }.map(\.value) == values)
        if case .trySet("X-Other") = operation {
            #expect(sent.head.headerFields.contains { $0.name.canonicalName == "x-other" && $0.value == "new" })
        }
    }

    @Test(
        "SMA16: a token in the query is set, set if absent, or added, and percent-encoded",
        arguments: [
            (Token.Operation.set("key"), Optional("a&b=c"), "/x?q=1&key=a%26b%3Dc"),
            (.trySet("key"), "new", "/x?q=1&key=old"), (.add("key"), "new", "/x?q=1&key=old&key=new"),
            (.set("key"), nil, "/x?q=1&key=old"), (.trySet("k y"), "new", "/x?q=1&key=old&k%20y=new"),
        ])
    func query(operation: Token.Operation, token: String?, target: String) async throws {
        let transport = StubServer { _ in .status(.ok) }
        try await APIClient.scripted(transport).call(.get, "x", query: ["q": 1, "key": "old"])
            .plugins([Token(type: .queryParam(operation)) { token }]).void()
        #expect(try await transport.request(at: 0).head.path == target)
    }

    @Test(
        "QueryTarget changes only the given item, whatever the encoding of its name",
        arguments: [
            ("/x", "/x?k=v"), ("/x?", "/x?k=v"), ("/x?k", "/x?k=v"), ("/x?%6b=1&k=2", "/x?k=v"),
            ("/x?a=%20+&k=1", "/x?a=%20+&k=v"), ("/x?kk=1", "/x?kk=1&k=v"), ("/x?a&&b", "/x?a&&b&k=v"),
        ])
    func target(before: String, after: String) {
        var target = QueryTarget(before)
        target.remove("k")
        #expect(!target.has("k"))
        target.append(name: "k", value: "v")
        #expect(target.has("k"))
        #expect(target.text == after)
    }
}
