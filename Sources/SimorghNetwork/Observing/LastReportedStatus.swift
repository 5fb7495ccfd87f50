// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The last reported status, to detect changes; nothing is reported once it is stopped.
package struct LastReportedStatus: Sendable {
    package private(set) var isStopped = false
    private var status: NetworkStatus?

    package init() {}

    package var isConnected: Bool { status?.isConnected == true }

    package mutating func stop() { isStopped = true }

    /// Returns true if a status is to be reported, and records it as reported.
    package mutating func recordIfChanged(_ status: NetworkStatus) -> Bool {
        guard !isStopped, self.status != status else { return false }
        self.status = status
        return true
    }

    /// Returns true if a snapshot proves that the route is lost, so that the loss is reported without a delay.
    ///
    /// That is the case if no packet leaves any more, or if the route's interface was reported as running and no
    /// longer runs. A route through an interface that is just coming up is not a loss: the route exists some
    /// milliseconds before the interface runs.
    ///
    /// - Parameter snapshot: The routes, and at least their interfaces.
    /// - Returns: True if the loss is certain.
    package func isDefiniteLoss(_ snapshot: KernelNetworkSnapshot) -> Bool {
        guard let status, status.isConnected else { return false }
        return [snapshot.ipv4, snapshot.ipv6].compactMap { $0 }.allSatisfy { route in
            guard route.isUnicast, let index = route.outgoing.first,
                let link = snapshot.links.first(where: { $0.index == index })
            else { return false }
            return !link.isRunning && status.interfaces.contains { $0.index == Int(index) && $0.isRunning }
        }
    }
}
