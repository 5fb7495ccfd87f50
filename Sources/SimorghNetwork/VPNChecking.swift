// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A check for an active VPN: a ``VPNChecker``, or a fake in a test.
public protocol VPNChecking: Sendable {
    /// Returns true if a VPN carries packets to the internet now.
    func isVPNActive() -> Bool
}

/// A one-time check for a VPN.
///
/// ```swift
/// if VPNChecker().isVPNActive() { print("through a tunnel") }
/// ```
/// It queries the system at each call, which takes less than a millisecond and does not block on Apple platforms. To be
/// notified of changes, use a ``NetworkMonitor``.
///
/// In other libraries any tunnel is a VPN. Here it is one only if it carries packets to the internet, or if the system
/// leads a path through it (``isVPNPresent()``), since Apple platforms have tunnels of their own. On watchOS, which
/// reports neither, both are false.
public struct VPNChecker: VPNChecking {
    private let shouldBypassVpnCheck: Bool
    private let source: any NetworkSource

    /// Creates a checker.
    ///
    /// - Parameter shouldBypassVpnCheck: True to return false without a query, for example in a test or a debug build.
    public init(shouldBypassVpnCheck: Bool = false) {
        self.init(SystemNetwork.source, shouldBypassVpnCheck: shouldBypassVpnCheck)
    }

    /// Creates a checker of a custom source.
    package init(_ source: any NetworkSource, shouldBypassVpnCheck: Bool = false) {
        self.source = source
        self.shouldBypassVpnCheck = shouldBypassVpnCheck
    }

    /// Returns true if a VPN is active: packets to the internet go through its tunnel.
    public func isVPNActive() -> Bool { !shouldBypassVpnCheck && source.current().isVPNActive }

    /// Returns true if a VPN is present: its tunnel is up with an address, even if it carries only packets to its
    /// networks; see ``NetworkStatus/isVPNPresent``.
    public func isVPNPresent() -> Bool { !shouldBypassVpnCheck && source.current().isVPNPresent }
}
