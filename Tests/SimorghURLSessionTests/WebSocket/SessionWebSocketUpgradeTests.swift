// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghRealtime
import SimorghURLSession
import Testing

@Suite("SessionWebSocketUpgrade", .timeLimit(.minutes(5)))
struct SessionWebSocketUpgradeTests {
    @Test("An opening keeps the rules for networks, and does not wait inside the session")
    func options() throws {
        var request = TransportRequest(
            head: HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: "/"))
        request.options.access.allowsCellular = false
        request.options.connectivityWait = ConnectivityWait(
            limit: .seconds(9),
            timeoutError: TransportError(.notConnectedToInternet, phase: .connect, message: "no network"),
            onBegin: { nil }, onEnd: {})
        let upgrade = try SessionWebSocketUpgrade(request, options: WebSocketChannelOptions())
        #expect(upgrade.request.head.scheme == "wss")
        #expect(!upgrade.request.options.access.allowsCellular)
        #expect(upgrade.request.options.connectivityWait == nil)
        #expect(try SessionKey(upgrade.request, capabilities: .apple) == SessionKey())
    }
}
