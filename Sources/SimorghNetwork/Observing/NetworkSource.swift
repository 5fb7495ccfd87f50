// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The source of a ``NetworkMonitor``: the system, or a script in a test.
///
/// On Linux a query may block if the system is unresponsive; so may the start of a watch. On Apple platforms nothing
/// blocks, and a query may return a provisional status.
package protocol NetworkSource: Sendable {
    /// False if the source never reports a network, so that there is no point in waiting for one.
    var isAvailable: Bool { get }

    /// Queries the current status; see ``NetworkStatus/isProvisional``.
    func current() -> NetworkStatus

    /// Queries the current status, and waits without blocking until the system has reported it, for up to a quarter of
    /// a second; afterwards the result may be provisional.
    ///
    /// - Parameter report: Receives the status once, on any thread, possibly before this returns.
    func complete(_ report: @escaping @Sendable (NetworkStatus) -> Void)

    /// Records the inputs of the status, for a bug report or a test.
    ///
    /// - Parameter report: Receives the recording once, on any thread, possibly before this returns.
    func record(_ report: @escaping @Sendable (NetworkRecording) -> Void)

    /// Queries if there is a network, from a recent result or with few system calls; interface kinds may be missing.
    func quickStatus() -> NetworkStatus

    /// The result of a recent `quickStatus()`, without a query; `nil` if there is no recent one.
    var recentQuickStatus: NetworkStatus? { get }

    /// True if it is certain that no packet would leave; determined without blocking, and false if unknown.
    var isDefinitelyOffline: Bool { get }

    /// Reports the current status soon after the call, and then each change, until it is stopped.
    ///
    /// It may report the same status twice. Each call is a separate watch.
    ///
    /// - Parameter report: Receives each status, one call after the other, on any thread.
    /// - Returns: A closure that stops the watch. It does not wait for threads that start or stop a monitor, and a
    ///   report that is in progress may still arrive.
    func watch(_ report: @escaping @Sendable (NetworkStatus) -> Void) -> @Sendable () -> Void
}

extension NetworkSource {
    package var isAvailable: Bool { true }

    package func complete(_ report: @escaping @Sendable (NetworkStatus) -> Void) { report(current()) }

    package func record(_ report: @escaping @Sendable (NetworkRecording) -> Void) { report(NetworkRecording()) }

    package func quickStatus() -> NetworkStatus { current() }

    package var recentQuickStatus: NetworkStatus? { nil }

    package var isDefinitelyOffline: Bool { false }
}

/// A source that reports an unknown status, for platforms without network information and for failed queries.
package struct UnavailableNetworkSource: NetworkSource {
    package init() {}

    package var isAvailable: Bool { false }

    package func current() -> NetworkStatus {
        var status = NetworkStatus(.disconnected)
        status.source = .unavailable
        return status
    }

    package func watch(_ report: @escaping @Sendable (NetworkStatus) -> Void) -> @Sendable () -> Void {
        report(current())
        return {}
    }
}
