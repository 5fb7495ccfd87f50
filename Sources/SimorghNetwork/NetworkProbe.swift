// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A check that the internet responds, and not a captive portal that requires a sign-in.
///
/// It is used only if it is passed to a ``NetworkMonitor``. It runs when a route to the internet appears or changes,
/// and again while the internet does not respond. SimorghCore adds an initializer that requests a URL with a client;
/// any other check can be passed as a closure.
public struct NetworkProbe: Sendable {
    let check: @Sendable () async -> NetworkStatus.Reachability
    /// The time between two checks while the internet does not respond.
    ///
    /// Default: 30 seconds.
    public var interval: Duration = .seconds(30)

    /// Creates a probe.
    ///
    /// - Parameter check: Performs one check; its task is cancelled if the network changes meanwhile.
    public init(_ check: @escaping @Sendable () async -> NetworkStatus.Reachability) { self.check = check }
}
