// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
package import SimorghCore
package import SimorghRealtime
import SimorghSupport
package import SimorghTesting
import Synchronization

/// A scripted server, a test clock, and subscription clients that use both.
package struct SubscriptionFixture {
    package let server = ScriptedWebSocket()
    package let clock = TestClock()

    package init() {}

    package func client(_ change: (inout APIClient.Configuration) -> Void = { _ in }) -> APIClient {
        // Subscriptions have their own URLs, and with a base URL the client would withhold credentials from them.
        .scripted(server, baseURL: nil) {
            $0.time = clock.timeSource
            $0.random = RandomSource { 0.5 }
            change(&$0)
        }
    }

    package func socket<Wire: SubscriptionProtocol>(
        _ wire: Wire, change: (inout SubscriptionOptions) -> Void = { _ in }
    ) -> SubscriptionClient<Wire> {
        var options = SubscriptionOptions()
        change(&options)
        return client().subscriptions(over: wire, options: options)
    }

    /// Returns the server's end of a connection.
    ///
    /// The clock advances as far as the first reconnect delays require, and reaches no timeout of the handshake.
    package func peer(at index: Int) async throws -> ScriptedPeer {
        try await clock.skipWaits(upTo: .seconds(2)) { server.peers.count > index }
        return try await server.peer(at: index)
    }
}
