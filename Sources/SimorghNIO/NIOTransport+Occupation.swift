// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore

extension NIOTransport: TransportActivityReporting {
    package var activity: TransportActivity {
        let statistics = statistics
        return TransportActivity(
            carrying: statistics.leased, opening: statistics.dialing, waiting: statistics.waiting,
            upgraded: pool.upgraded.requests)
    }
}
