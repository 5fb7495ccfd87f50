// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Where a ``NetworkMonitor`` has its knowledge from: the system, or in a test a script.
///
/// To ask it may block, where the system is silent; so may the beginning of a watch.
package protocol NetworkSource: Sendable {
    /// What is so now, asked for once.
    func current() -> NetworkStatus

    /// Whether there is a network now, as far as it is known a moment ago or by few questions: what the devices are may be
    /// left out.
    func glance() -> NetworkStatus

    /// What a glance would tell, where that is known already; nobody is asked.
    var recentGlance: NetworkStatus? { get }

    /// Whether it is certain now that no packet would leave; found out without waiting for anybody, and `false` where
    /// it cannot be.
    var isNowhere: Bool { get }

    /// Tells what is so, soon after the call, and what has changed, until it is stopped.
    ///
    /// It may tell the same twice. Each call is a watch of its own.
    ///
    /// - Parameter tell: Called with each status, one call after the other, on any thread.
    /// - Returns: Stops it, and waits for nobody who starts or stops a monitor; a call that is under way may still be told
    ///   of.
    func watch(_ tell: @escaping @Sendable (NetworkStatus) -> Void) -> @Sendable () -> Void
}

extension NetworkSource {
    package func glance() -> NetworkStatus { current() }

    package var recentGlance: NetworkStatus? { nil }

    package var isNowhere: Bool { false }
}

/// Stands in where nothing is known of the network.
package struct NoNetworkSource: NetworkSource {
    package init() {}

    package func current() -> NetworkStatus {
        var status = NetworkStatus(.disconnected)
        status.source = .nobody
        return status
    }

    package func watch(_ tell: @escaping @Sendable (NetworkStatus) -> Void) -> @Sendable () -> Void {
        tell(current())
        return {}
    }
}
