// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghInspector
import SimorghTesting
import TestSupport
import Testing

/// The protection of the page's server.
@Suite(.timeLimit(.minutes(10)))
struct InspectorRoutesTests {
    private let token = InspectorToken.random()
    private let store = InspectorStore(Inspector.Configuration())

    private func status(
        _ path: String, _ method: HTTPRequest.Method = .get, host: String = "127.0.0.1:8080",
        fields: [String: String] = [:], isFile: Bool = false
    ) -> Int {
        answer(path, method, host: host, fields: fields, isFile: isFile).status.code
    }

    private func answer(
        _ path: String, _ method: HTTPRequest.Method = .get, host: String = "127.0.0.1:8080",
        fields: [String: String] = [:], isFile: Bool = false
    ) -> StubResponse {
        var head = HTTPRequest(method: method, scheme: "http", authority: host, path: path)
        for (name, value) in fields { head.headerFields[HTTPField.Name(name) ?? .date] = value }
        return InspectorRoutes(store, token: token, title: "test", isFile: isFile)
            .response(to: RecordedRequest(index: 0, head: head, body: Data()))
    }

    @Test("The page and its files are served below the token only", arguments: ["", "inspector.js", "inspector.css"])
    func token(file: String) {
        #expect(status("/\(token.text)/\(file)") == 200)
        #expect(status("/\(file)") == 404)
        #expect(status("/\(InspectorToken.random().text)/\(file)") == 404)
        #expect(status("/\(token.text.dropLast())/\(file)") == 404)
    }

    @Test("Tokens have 128 bits and differ")
    func tokens() {
        #expect(token.text.utf8.count == 32 && token != InspectorToken.random())
        #expect(token.matches(token.text) && !token.matches("") && !token.matches(token.text + "0"))
    }

    @Test(
        "A request for another host name is refused",
        arguments: ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "", "127.0.0.1:80@evil"])
    func hosts(host: String) {
        #expect(status("/\(token.text)/", host: host) == 403)
    }

    @Test("A request for a name of this machine is answered", arguments: ["localhost", "localhost:1", "[::1]:80"])
    func loopback(host: String) { #expect(status("/\(token.text)/", host: host) == 200) }

    @Test(
        "A request from a page of another origin is refused",
        arguments: [
            ["Origin": "http://evil.example"], ["Origin": "null"], ["Origin": "http://127.0.0.1:80800"],
            ["Origin": "https://127.0.0.1:8080"], ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"],
        ])
    func origins(fields: [String: String]) {
        #expect(status("/\(token.text)/api/info", fields: fields) == 403)
        #expect(status("/\(token.text)/api/clear", .post, fields: fields) == 403)
        #expect(status("/\(token.text)/api/info") == 200)
        #expect(status("/\(token.text)/api/info", fields: ["Origin": "http://127.0.0.1:8080"]) == 200)
    }

    @Test("No script or style of another origin runs, and no page frames the inspector")
    func policy() throws {
        let name = try #require(HTTPField.Name("Content-Security-Policy"))
        let policy = try #require(answer("/\(token.text)/").headerFields[name])
        #expect(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"))
        #expect(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"))
        let page = try #require(InspectorPage.file("")).bytes
        let html = String(decoding: page, as: UTF8.self)
        #expect(!html.contains("onclick") && !html.contains("style=") && !html.contains("<script>"))
    }

    @Test(
        "No script of the page makes markup of data", arguments: ["inspector.js", "list.js", "detail.js", "common.js"])
    func markup(name: String) throws {
        let script = String(decoding: try #require(InspectorPage.file(name)).bytes, as: UTF8.self)
        for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"] {
            #expect(!script.contains(word), "\(name) uses \(word)")
        }
    }

    @Test("Only the pages of an allowed origin frame the inspector, and an origin adds no other directive")
    func frames() throws {
        let name = try #require(HTTPField.Name("Content-Security-Policy"))
        for origin in ["http://a; script-src *", "*", "a", "http://*", "http://[::1]:9"] {
            store.allowFrame(in: origin)
        }
        #expect(answer("/\(token.text)/").headerFields[name]?.hasSuffix("frame-ancestors 'none'") == true)
        store.allowFrame(in: "http://127.0.0.1:9")
        let policy = answer("/\(token.text)/").headerFields[name]
        #expect(policy?.hasSuffix("frame-ancestors http://127.0.0.1:9") == true)
    }

    @Test("The last eight origins are kept; other texts replace no origin, and an origin that is repeated is the last")
    func lastFrames() {
        for port in 1...8 { store.allowFrame(in: "http://a:\(port)") }
        for number in 1...8 { store.allowFrame(in: "not an origin \(number)") }
        store.allowFrame(in: "http://a:1")
        store.allowFrame(in: "http://a:9")
        #expect(store.allowedFrameOrigins == ([3, 4, 5, 6, 7, 8, 1, 9].map { "http://a:\($0)" }))
    }

    @Test("A call that may change data is sent again only if it is confirmed, and over the client that made it")
    func replays() async throws {
        let first = StubServer { _ in .text("one") }
        let second = StubServer { _ in .text("two") }
        for transport in [first, second] {
            let client = APIClient.scripted(transport)
            let observer = ClientObserver(store, name: "")
            _ = client.hub.add(observer)
            store.add(client, for: observer)
            _ = try await client.call(.post, "a", body: .text("body")).data()
        }
        #expect(status("/\(token.text)/api/replay?number=1", .post) == 409)
        #expect(first.requestCount == 1)
        #expect(status("/\(token.text)/api/replay?number=1&confirmed=1", .post) == 202)
        try await eventually { first.requestCount == 2 }
        #expect(second.requestCount == 1)
        store.removeClients()
        #expect(status("/\(token.text)/api/replay?number=1&confirmed=1", .post) == 404)
    }

    @Test("Pausing and clearing change the state, and a file has neither")
    func controls() {
        #expect(status("/\(token.text)/api/pause?on=1", .post) == 200)
        #expect(store.snapshot.isPaused)
        #expect(status("/\(token.text)/api/pause?on=0", .post) == 200)
        #expect(!store.snapshot.isPaused)
        #expect(status("/\(token.text)/api/clear", .post) == 200)
        #expect(status("/\(token.text)/api/pause?on=1", .post, isFile: true) == 404)
        #expect(status("/\(token.text)/api/pause?on=1") == 404)
        #expect(status("/\(token.text)/api/call?number=1") == 404)
        #expect(status("/\(token.text)/api/har", .post) == 200)
    }
}
