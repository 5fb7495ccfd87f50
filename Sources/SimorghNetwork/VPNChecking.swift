// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Tells whether a VPN carries this machine's packets: a ``VPNChecker``, or in a test something that says what it is told.
public protocol VPNChecking: Sendable {
    /// Whether a VPN carries packets to the internet now.
    func isVPNActive() -> Bool
}

/// Asks once whether a VPN is there.
///
/// ```swift
/// if VPNChecker().isVPNActive() { print("through a tunnel") }
/// ```
/// It asks the system at each call, which on Linux takes less than a millisecond. To hear of changes, use a
/// ``NetworkMonitor``.
public struct VPNChecker: VPNChecking {
    private let shouldBypassVpnCheck: Bool
    private let source: any NetworkSource

    /// Creates a checker.
    ///
    /// - Parameter shouldBypassVpnCheck: Whether to say no without asking, in a test or a debug build say.
    public init(shouldBypassVpnCheck: Bool = false) {
        self.init(SystemNetwork.source, shouldBypassVpnCheck: shouldBypassVpnCheck)
    }

    /// Creates a checker of a source.
    package init(_ source: any NetworkSource, shouldBypassVpnCheck: Bool = false) {
        self.source = source
        self.shouldBypassVpnCheck = shouldBypassVpnCheck
    }

    /// Whether a VPN is active: packets to the internet go through its tunnel.
    public func isVPNActive() -> Bool { !shouldBypassVpnCheck && source.current().isVPNActive }

    /// Whether a VPN is present: its tunnel is up with an address, though perhaps only for the networks behind it.
    public func isVPNPresent() -> Bool { !shouldBypassVpnCheck && source.current().isVPNPresent }
}
