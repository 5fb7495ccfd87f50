// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
package import SimorghCore
package import SimorghRealtime
import SimorghSupport
package import SimorghTesting
import Synchronization

/// A scripted server, a clock, and sockets over both.
package struct SubscriptionWorld {
    package let server = ScriptedWebSocket()
    package let clock = TestClock()

    package init() {}

    package func client(_ change: (inout APIClient.Configuration) -> Void = { _ in }) -> APIClient {
        // Subscriptions have URLs of their own, and a base would keep credentials from them.
        .scripted(server, baseURL: nil) {
            $0.time = clock.timeSource
            $0.random = RandomSource { 0.5 }
            change(&$0)
        }
    }

    package func socket<Wire: SubscriptionProtocol>(
        _ wire: Wire, _ change: (inout SubscriptionOptions) -> Void = { _ in }
    ) -> SubscriptionClient<Wire> {
        var options = SubscriptionOptions()
        change(&options)
        return client().subscriptions(over: wire, options: options)
    }

    /// The server's end of a connection, for which the clock is moved as far as the first waits before it take, and to
    /// none of the limits that an opening has.
    package func peer(at index: Int) async throws -> ScriptedPeer {
        try await clock.skipWaits(upTo: .seconds(2)) { server.peers.count > index }
        return try await server.peer(at: index)
    }
}
