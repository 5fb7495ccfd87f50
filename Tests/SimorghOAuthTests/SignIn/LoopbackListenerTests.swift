// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghNIO
import SimorghOAuth
import SimorghTesting
import Synchronization
import TestSupport
import Testing

@Suite("Sign-in through a listener on 127.0.0.1 (RFC 8252)", .timeLimit(.minutes(5)))
struct LoopbackListenerTests {
    private let browser = APIClient(transport: NIOTransport.shared).with {
        $0.validation.statusCodes = .any
        $0.networkMonitor = nil
    }

    private static func items(_ url: String) -> [String: String] {
        let items = URLComponents(string: url)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }

    /// Signs in, and runs a browser with the URL of the redirect, whose query is complete but for the code.
    private func signIn(
        _ oauth: StubbedOAuth, options: LoopbackOptions = LoopbackOptions(),
        browse: @escaping @Sendable (_ redirect: String, _ query: String) async throws -> Void
    ) async throws -> OAuthToken {
        try await oauth.client().signIn(scopes: ["birds"], options: options) { url in
            let items = Self.items(url)
            let redirect = items["redirect_uri"] ?? ""
            let query = "state=\(items["state"] ?? "")&iss=https://auth.example.com"
            Task { try await browse(redirect, query) }
        }
    }

    @Test("The redirect ends the sign-in; other requests before it get errors, and nothing of them is in the page")
    func redirect() async throws {
        let oauth = StubbedOAuth { _ in StubbedOAuth.token("t1") }
        let pages = LockedValue<[String]>([])
        let browser = browser
        let token = try await signIn(oauth) { redirect, query in
            let base = redirect.replacing("/callback", with: "")
            var statuses: [Int] = []
            for (method, url, headers) in [
                (RequestMethod.get, base + "/favicon.ico", [:]), (.get, redirect, [:]),
                (.get, base + "/?code=c&" + query, [:]),
                (.post, redirect + "?code=c&" + query, [:]),
                (.get, redirect + "?code=c&" + query, ["Host": "evil.example"]),
                (.get, redirect + "?code=c&" + query, ["Host": "localhost:80"]),
                (.get, redirect + "?code=c&" + query, ["Sec-Fetch-Mode": "no-cors"]),
                (.get, redirect + "?code=c&state=x", [:]), (.get, redirect + "?code=c&code=d", [:]),
                (.get, redirect + "?error=access_denied&state=x", [:]),
                (.get, redirect + "?code=%3Cscript%3E&" + query, [:]),
            ] as [(RequestMethod, String, [String: String])] {
                let response = try await browser.call(method, url, headers: headers).response().response
                statuses.append(response.statusCode)
                pages.change { $0.append(String(decoding: response.body, as: UTF8.self) + "\(response.headers)") }
            }
            let seen = "\(statuses)"
            pages.change { $0.append(seen) }
        }
        #expect(token.accessToken.value == "t1")
        try await eventually { pages.value.last?.hasPrefix("[") == true }
        #expect(pages.value.last == "[404, 404, 404, 405, 421, 421, 403, 400, 400, 400, 200]")
        #expect(!pages.value.dropLast().contains { $0.contains("script") || $0.contains("state") })
        #expect(pages.value.dropLast().allSatisfy { $0.contains("no-store") && $0.contains("no-referrer") })
    }

    @Test(
        "Requests with a wrong state get an error page; without another redirect they are the error at the time limit")
    func wrongState() async throws {
        let oauth = StubbedOAuth { _ in StubbedOAuth.token("t1") }
        let browser = browser
        let error = try await #require(throws: OAuthError.self) {
            try await signIn(oauth) { redirect, _ in
                let response = try await browser.call(.get, redirect + "?code=c&state=x").response().response
                #expect(response.statusCode == 400)
                try await oauth.clock.sleeping(for: .seconds(300))
                oauth.clock.advance(by: .seconds(300))
            }
        }
        #expect(error.reason == .stateMismatch && oauth.transport.requestCount == 0)
        #expect(!error.description.contains("whose error"))
    }

    @Test("The error of a redirect without the state is named at the time limit")
    func missingState() async throws {
        let oauth = StubbedOAuth { _ in StubbedOAuth.token("t1") }
        let browser = browser
        let error = try await #require(throws: OAuthError.self) {
            try await signIn(oauth) { redirect, _ in
                _ = try await browser.call(.get, redirect + "?error=access_denied").response()
                try await oauth.clock.sleeping(for: .seconds(300))
                oauth.clock.advance(by: .seconds(300))
            }
        }
        #expect(error.reason == .stateMismatch)
        #expect(error.description.contains("access_denied") && error.description.contains("left the state out"))
    }

    @Test("Idle connections do not delay the redirect: a full listener closes the oldest one")
    func idleConnections() async throws {
        let oauth = StubbedOAuth { _ in StubbedOAuth.token("t1") }
        let browser = browser
        // The 21 connections exceed the limit by 5. Without a free place, all 16 would be closed at their own limit.
        let script = """
            import http.client, select, socket, sys
            port = int(sys.argv[1])
            idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(20)]
            connection = http.client.HTTPConnection("127.0.0.1", port)
            connection.request("GET", "/callback?state=other")
            connection.getresponse().read()
            print(len(select.select(idle, [], [], 0)[0]), flush=True)
            """
        let token = try await signIn(oauth) { redirect, query in
            let port = URLComponents(string: redirect)?.port ?? 0
            let idle = try ChildProcess("/usr/bin/python3", arguments: ["-c", script, "\(port)"])
            let closed = try await idle.line()
            #expect(closed == "5")
            _ = try await idle.outcome()
            try await browser.call(.get, redirect + "?code=c&" + query).void()
        }
        #expect(token.accessToken.value == "t1")
    }

    @Test("A redirect with the right state that cannot be used ends the sign-in")
    func unusableRedirect() async throws {
        let oauth = StubbedOAuth { _ in StubbedOAuth.token("t1") }
        let browser = browser
        let error = try await #require(throws: OAuthError.self) {
            try await signIn(oauth) { redirect, query in
                try await browser.call(.get, redirect + "?code=c&code=d&" + query).void()
            }
        }
        #expect(error.reason == .invalidResponse && oauth.transport.requestCount == 0)
    }

    @Test("The error of opening the browser ends the sign-in, and opening that never ends does not outlast the limit")
    func opening() async throws {
        struct Broken: Error {}
        let oauth = StubbedOAuth { _ in StubbedOAuth.token("t1") }
        await #expect(throws: Broken.self) { try await oauth.client().signIn { _ in throw Broken() } }
        let (opened, never) = (Gate(), Gate())
        let client = try oauth.client()
        let task = Task {
            try await client.signIn { _ in
                opened.open()
                // A task of its own ignores the cancellation.
                _ = await Task { try? await never.wait() }.value
            }
        }
        try await opened.wait()
        try await oauth.clock.sleeping(for: .seconds(300))
        oauth.clock.advance(by: .seconds(300))
        let error = try await #require(throws: OAuthError.self) { try await task.value }
        #expect(error.reason == .expired)
        never.open()
    }

    @Test("A request that is too long does not prevent the redirect")
    func long() async throws {
        let oauth = StubbedOAuth { _ in StubbedOAuth.token("t1") }
        let browser = browser
        let token = try await signIn(oauth) { redirect, query in
            let long = ["X-Long": String(repeating: "x", count: 40_000)]
            // The listener closes the connection while the rest of the request arrives.
            _ = try? await browser.call(.get, redirect + "?code=c&" + query, headers: long).response()
            try await browser.call(.get, redirect + "?code=c&" + query).void()
        }
        #expect(token.accessToken.value == "t1")
    }

    @Test("A denial by the user belongs to the sign-in")
    func denied() async throws {
        let oauth = StubbedOAuth { _ in StubbedOAuth.token("t1") }
        let status = LockedValue(0)
        let browser = browser
        let error = try await #require(throws: OAuthError.self) {
            try await signIn(oauth) { redirect, query in
                let url = redirect + "?error=access_denied&" + query
                let response = try await browser.call(.get, url).response().response
                status.change { $0 = response.statusCode }
            }
        }
        #expect(error.reason == .denied)
        try await eventually { status.value == 200 }
    }

    @Test(
        "The head of a request is parsed strictly",
        arguments: [
            ("", LoopbackRequest.incomplete), ("GET /callback?a HTTP/1.1\r\nHost: 127.0.0.1:9\r\n", .incomplete),
            ("GET /callback?a HTTP/1.1\r\nHost: 127.0.0.1:9\r\n\r\n", .target("/callback?a")),
            ("GET /callback? HTTP/1.0\r\nhost:127.0.0.1:9\r\n\r\nbody", .target("/callback?")),
            ("GET /callback HTTP/1.1\r\nHost: 127.0.0.1:9\r\n\r\n", .refused(status: 404)),
            ("GET /callback/?a HTTP/1.1\r\nHost: 127.0.0.1:9\r\n\r\n", .refused(status: 404)),
            ("GET http://127.0.0.1:9/callback?a HTTP/1.1\r\nHost: 127.0.0.1:9\r\n\r\n", .refused(status: 404)),
            ("HEAD /callback?a HTTP/1.1\r\nHost: 127.0.0.1:9\r\n\r\n", .refused(status: 405)),
            ("GET /callback?a HTTP/1.1\r\n\r\n", .refused(status: 421)),
            ("GET /callback?a HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", .refused(status: 421)),
            ("GET /callback?a HTTP/1.1\r\nHost: a.example\r\nHost: 127.0.0.1:9\r\n\r\n", .refused(status: 421)),
            (
                "GET /callback?a HTTP/1.1\r\nHost: 127.0.0.1:9\r\nSec-Fetch-Mode: navigate\r\n\r\n",
                .target("/callback?a")
            ),
            ("GET /callback?a HTTP/1.1\r\nHost: 127.0.0.1:9\r\nsec-fetch-mode:cors\r\n\r\n", .refused(status: 403)),
            ("GET /callback?a HTTP/2\r\nHost: 127.0.0.1:9\r\n\r\n", .refused(status: 400)),
            ("GET  /callback?a HTTP/1.1\r\nHost: 127.0.0.1:9\r\n\r\n", .refused(status: 400)),
            ("\u{16}\u{3}\u{1}\r\n\r\n", .refused(status: 400)), ("\r\n\r\n", .refused(status: 400)),
            (String(repeating: "a", count: 32 * 1024 + 1), .refused(status: 431)),
        ])
    func heads(text: String, result: LoopbackRequest) {
        #expect(LoopbackRequest(Array(text.utf8), path: "/callback", port: 9) == result)
    }

    @Test("At port 80 the host may come without a port, as browsers send it", arguments: ["127.0.0.1", "127.0.0.1:80"])
    func portOfHTTP(host: String) {
        let text = "GET /callback?a HTTP/1.1\r\nHost: \(host)\r\n\r\n"
        #expect(LoopbackRequest(Array(text.utf8), path: "/callback", port: 80) == .target("/callback?a"))
    }

    @Test("The sign-in ends after its time limit, and when the task is cancelled; the port is free afterwards")
    func ends() async throws {
        let oauth = StubbedOAuth { _ in StubbedOAuth.token("t1") }
        let error = try await #require(throws: OAuthError.self) {
            try await signIn(oauth) { _, _ in
                try await oauth.clock.sleeping(for: .seconds(300))
                oauth.clock.advance(by: .seconds(300))
            }
        }
        #expect(error.reason == .expired)

        let port = LockedValue(0)
        let opened = Gate()
        let client = try oauth.client()
        let task = Task {
            try await client.signIn { url in
                let redirect = Self.items(url)["redirect_uri"] ?? ""
                port.change { $0 = URLComponents(string: redirect)?.port ?? 0 }
                opened.open()
            }
        }
        try await opened.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        var again = LoopbackOptions()
        again.port = UInt16(port.value)
        again.timeout = .zero
        let late = try await #require(throws: OAuthError.self) { try await signIn(oauth, options: again) { _, _ in } }
        #expect(late.reason == .expired)
    }

    @Test("A port that is in use, and a path that is not one, are typed errors")
    func unusable() async throws {
        let oauth = StubbedOAuth { _ in StubbedOAuth.token("t1") }
        try await MockServer.with { server in
            var options = LoopbackOptions()
            options.port = UInt16(server.port)
            let error = try await #require(throws: OAuthError.self) {
                try await signIn(oauth, options: options) { _, _ in }
            }
            #expect(error.reason == .listenerFailed)
        }
        for path in ["", "callback", "/a?b", "/a b", "/a\r\nX: y"] {
            var options = LoopbackOptions()
            options.path = path
            let error = try await #require(throws: OAuthError.self) {
                try await signIn(oauth, options: options) { _, _ in }
            }
            #expect(error.reason == .insecureURL)
            #expect(error.description.contains("begin with a slash") == !path.hasPrefix("/"))
        }
    }
}
