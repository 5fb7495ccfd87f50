// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What is known of the way where nobody watches, so that a watch's first word may tell of an arrival.
package struct NetworkGap: Sendable {
    private let way: NetworkWay?
    /// Whether it is a glance's word, which may not know what the devices are; a script's does.
    private let isGlance: Bool

    init(_ status: NetworkStatus?, isGlance: Bool = false) {
        way = status?.way
        self.isGlance = isGlance && status?.source != .script
    }

    /// Whether there is a way in a status where there was none, or another.
    package func isArrival(_ status: NetworkStatus) -> Bool {
        guard let new = status.way else { return false }
        guard isGlance, let old = way else { return way != new }
        return old.index != new.index || old.networks != new.networks || old.gateways != new.gateways
    }

    /// What is known when somebody marks the moment, while no watch has told anything.
    ///
    /// - Parameters:
    ///   - glance: What was seen a moment ago; `nil` where nobody looked.
    ///   - status: What was told or asked for last, whenever that was.
    ///   - gap: What was known to whoever marked another moment before.
    /// - Returns: What is known now; `nil` for nothing.
    package static func marked(
        glance: NetworkStatus?, status: NetworkStatus?, after gap: NetworkGap?
    ) -> NetworkGap? {
        // Nobody could be asked, which is no loss.
        if let glance, glance.source != .nobody {
            // What was lost meanwhile comes anew for both; what came meanwhile is told to both.
            return gap == nil || !glance.isConnected ? NetworkGap(glance, isGlance: true) : gap
        }
        guard gap == nil, let status, status.source != .nobody else { return gap }
        return NetworkGap(status)
    }
}
