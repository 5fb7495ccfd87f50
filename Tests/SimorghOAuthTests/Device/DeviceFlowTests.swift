// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghOAuth
import SimorghTesting
import TestSupport
import Testing

@Suite("Sign-in on another device (RFC 8628)", .timeLimit(.minutes(5)))
struct DeviceFlowTests {
    private static func authorization(_ members: String = "") -> StubResponse {
        .json(
            """
            {"device_code": "d3vice", "user_code": "WDJB-MJHT", "verification_uri": "https://auth.example.com/device",
            "expires_in": 60\(members)}
            """)
    }

    private static func client(
        _ authorization: StubResponse, answers: [StubResponse], movesItself: Bool = true
    ) -> StubbedOAuth {
        let count = Counter()
        return StubbedOAuth(movesItself: movesItself) { request in
            guard request.path == "/token" else { return authorization }
            return answers[min(count.next() - 1, answers.count - 1)]
        }
    }

    @Test(
        "The code is requested at the interval, five seconds less often after slow_down, and rarer while there is no server"
    )
    func schedule() async throws {
        let oauth = Self.client(
            Self.authorization(", \"interval\": 2, \"verification_uri_complete\": \"https://auth.example.com/d?c=W\""),
            answers: [
                StubbedOAuth.error("authorization_pending"), StubbedOAuth.error("slow_down"),
                StubbedOAuth.error("authorization_pending"), .timedOut(), StubbedOAuth.token("t1", refresh: "r1"),
            ])
        let client = try oauth.client()
        let device = try await client.authorizeDevice(scopes: ["birds"])
        #expect(device.userCode == "WDJB-MJHT" && device.verificationURL == "https://auth.example.com/device")
        #expect(device.completeVerificationURL == "https://auth.example.com/d?c=W")
        #expect(device.expiration == oauth.clock.date.addingTimeInterval(60))
        let token = try await client.token(for: device)
        #expect(token.accessToken.value == "t1" && token.accessToken.refreshToken == "r1")
        let pauses = oauth.clock.waits.filter { $0 < .seconds(20) && $0 > .seconds(1) }
        #expect(pauses.suffix(5) == [.seconds(2), .seconds(2), .seconds(7), .seconds(7), .seconds(14)], "\(pauses)")
        let fields = oauth.transport.requests.map(StubbedOAuth.fields)
        #expect(fields[0] == ["scope": "birds", "client_id": "tour"])
        #expect(
            fields[1] == [
                "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": "d3vice",
                "client_id": "tour",
            ])
    }

    @Test("The sign-in ends when the code has expired by this machine's clock")
    func expires() async throws {
        let oauth = Self.client(Self.authorization(), answers: [StubbedOAuth.error("authorization_pending")])
        let client = try oauth.client()
        let device = try await client.authorizeDevice()
        let error = try await #require(throws: OAuthError.self) { try await client.token(for: device) }
        #expect(error.reason == .expired)
        // Every five seconds by default, within 60 seconds, and at their end.
        #expect((10...13).contains(oauth.transport.requestCount))
    }

    @Test("An answer ends the backoff, and the server is asked a last time when the code expires")
    func polling() {
        var polling = DevicePolling(interval: .seconds(5))
        #expect(polling.action(after: nil, remaining: .seconds(600)) == .wait(.seconds(5)))
        for pause in [10, 20, 40, 80, 160, 300, 300] {
            #expect(polling.action(after: .unreachable, remaining: .seconds(600)) == .wait(.seconds(pause)))
        }
        #expect(polling.action(after: .pending, remaining: .seconds(600)) == .wait(.seconds(5)))
        #expect(polling.action(after: .slowDown, remaining: .seconds(600)) == .wait(.seconds(10)))
        #expect(polling.action(after: .unreachable, remaining: .seconds(7)) == .wait(.seconds(7)))
        #expect(polling.action(after: .pending, remaining: .zero) == .expire)
        var slow = DevicePolling(interval: .seconds(60))
        #expect(slow.action(after: nil, remaining: .seconds(60)) == .wait(.seconds(60)))
    }

    @Test("A code whose interval is as long as its lifetime is requested once")
    func once() async throws {
        let oauth = Self.client(Self.authorization(", \"interval\": 60"), answers: [StubbedOAuth.token("t1")])
        let client = try oauth.client()
        let device = try await client.authorizeDevice()
        #expect(try await client.token(for: device).accessToken.value == "t1")
    }

    @Test("A URL of this machine is accepted from a server of this machine only", arguments: [true, false])
    func loopback(isLocal: Bool) async throws {
        let oauth = Self.client(
            .json(
                #"{"device_code": "d", "user_code": "A", "verification_uri": "http://127.0.0.1:2375/v1", "expires_in": 60}"#
            ), answers: [])
        let url = isLocal ? "http://127.0.0.1:9/device" : "https://auth.example.com/device"
        let server = OAuthServer(tokenEndpoint: "https://auth.example.com/token", deviceAuthorizationEndpoint: url)
        let client = try OAuthClient(id: "tour", server: server, over: oauth.api)
        do {
            _ = try await client.authorizeDevice()
            #expect(isLocal)
        } catch {
            #expect(!isLocal && (error as? OAuthError)?.reason == .insecureURL)
        }
    }

    @Test(
        "The server's end of the sign-in is a typed error",
        arguments: [
            ("access_denied", OAuthError.Reason.denied), ("expired_token", .expired), ("invalid_grant", .rejected),
            ("invalid_client", .rejected),
        ])
    func ends(code: String, reason: OAuthError.Reason) async throws {
        let oauth = Self.client(Self.authorization(), answers: [StubbedOAuth.error(code)])
        let client = try oauth.client()
        let device = try await client.authorizeDevice()
        let error = try await #require(throws: OAuthError.self) { try await client.token(for: device) }
        #expect(error.reason == reason && error.code == code)
        #expect(!error.description.contains("d3vice"))
    }

    @Test("A cancelled task stops waiting")
    func cancels() async throws {
        let oauth = Self.client(
            Self.authorization(), answers: [StubbedOAuth.error("authorization_pending")], movesItself: false)
        let client = try oauth.client()
        let device = try await client.authorizeDevice()
        let task = Task { try await client.token(for: device) }
        try await oauth.clock.sleeping(forAtMost: .seconds(5))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test(
        "Codes and URLs that could control a terminal or lead elsewhere, and invalid numbers, are refused",
        arguments: [
            "", "{}", "[]",
            #"{"user_code": "A", "verification_uri": "https://a.example", "expires_in": 60}"#,
            #"{"device_code": "", "user_code": "A", "verification_uri": "https://a.example", "expires_in": 60}"#,
            #"{"device_code": "d", "verification_uri": "https://a.example", "expires_in": 60}"#,
            #"{"device_code": "d", "user_code": "A\u001b[2J", "verification_uri": "https://a.example", "expires_in": 60}"#,
            #"{"device_code": "d", "user_code": "A\nB", "verification_uri": "https://a.example", "expires_in": 60}"#,
            #"{"device_code": "d", "user_code": "A\u202eB", "verification_uri": "https://a.example", "expires_in": 60}"#,
            "{\"device_code\": \"d\", \"user_code\": \"A\(String(repeating: "\u{301}", count: 1000))\", \"verification_uri\": \"https://a.example\", \"expires_in\": 60}",
            #"{"device_code": "d", "user_code": "A\u200bB", "verification_uri": "https://a.example", "expires_in": 60}"#,
            #"{"device_code": "d", "user_code": "A", "expires_in": 60}"#,
            #"{"device_code": "d", "user_code": "A", "verification_uri": "javascript:alert(1)", "expires_in": 60}"#,
            #"{"device_code": "d", "user_code": "A", "verification_uri": "file:///etc/passwd", "expires_in": 60}"#,
            #"{"device_code": "d", "user_code": "A", "verification_uri": "http://a.example", "expires_in": 60}"#,
            #"{"device_code": "d", "user_code": "A", "verification_uri": "https://a.example/\u001b[2J", "expires_in": 60}"#,
            #"{"device_code": "d", "user_code": "A", "verification_uri": "https://a.example", "verification_uri_complete": "x:y", "expires_in": 60}"#,
            #"{"device_code": "d", "user_code": "A", "verification_uri": "https://a.example"}"#,
            #"{"device_code": "d", "user_code": "A", "verification_uri": "https://a.example", "expires_in": 0}"#,
            #"{"device_code": "d", "user_code": "A", "verification_uri": "https://a.example", "expires_in": 60, "interval": -1}"#,
            #"{"device_code": "d", "user_code": "A", "verification_uri": "https://a.example", "expires_in": 60, "interval": "x"}"#,
        ])
    func hostile(body: String) async throws {
        let oauth = Self.client(.json(body), answers: [])
        let error = try await #require(throws: OAuthError.self) { try await oauth.client().authorizeDevice() }
        #expect(error.reason == .invalidResponse || error.reason == .insecureURL)
        #expect(!error.description.contains("\u{1b}"))
    }

    @Test("The interval and the lifetime of the server are bounded")
    func bounds() async throws {
        let oauth = Self.client(
            .json(
                #"{"device_code": "d", "user_code": "A", "verification_url": "https://a.example", "expires_in": 1e18, "interval": 0}"#
            ),
            answers: [StubbedOAuth.token("t")])
        let client = try oauth.client()
        let device = try await client.authorizeDevice()
        #expect(device.expiration == oauth.clock.date.addingTimeInterval(86_400))
        _ = try await client.token(for: device)
        #expect(oauth.clock.waits.contains(.seconds(1)))
    }
}
