// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Asks whether it is the internet that answers, and not a hotspot that wants a sign-in first.
///
/// Off unless a ``NetworkMonitor`` is given one. It asks when a way to the internet appears or changes, and again while
/// the answer is not the internet's. SimorghCore adds an initializer that asks a URL by a client; another way of asking is a closure.
public struct NetworkProbe: Sendable {
    let ask: @Sendable () async -> NetworkStatus.Reachability
    /// How long to wait before asking again while the internet does not answer; 30 seconds by default.
    public var interval: Duration = .seconds(30)

    /// Creates a probe.
    ///
    /// - Parameter ask: Asks once; its task is cancelled when the network changes meanwhile.
    public init(_ ask: @escaping @Sendable () async -> NetworkStatus.Reachability) { self.ask = ask }
}
