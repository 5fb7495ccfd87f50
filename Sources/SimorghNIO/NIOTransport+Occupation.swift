// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore

extension NIOTransport: BusyTransport {
    package var occupation: TransportOccupation {
        let statistics = statistics
        return TransportOccupation(
            carrying: statistics.leased, opening: statistics.dialling, waiting: statistics.waiting,
            upgraded: pool.upgraded.requests)
    }
}
