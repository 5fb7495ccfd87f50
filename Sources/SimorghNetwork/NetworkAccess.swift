// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// The kinds of networks that a request may use; all of them by default.
///
/// ```swift
/// let frugal = client.with { $0.access.allowsExpensive = false }
/// ```
/// Over `URLSession` on Apple platforms the system enforces these rules. The engine, and `URLSession` on Linux, check
/// the status of the client's network monitor before they send a request; a request that has begun goes on if the
/// network changes. Hosts on this machine or a private network are always allowed there.
public struct NetworkAccess: Sendable, Hashable {
    /// True if cellular networks may be used.
    ///
    /// Default: true.
    public var allowsCellular = true
    /// True if networks that the system considers expensive may be used, such as cellular networks and personal
    /// hotspots.
    ///
    /// Default: true.
    public var allowsExpensive = true
    /// True if networks in Low Data Mode may be used; no network on Linux reports it.
    ///
    /// Default: true.
    public var allowsConstrained = true

    /// Creates rules that allow every network.
    public init() {}

    /// Returns the rule that forbids a network; `nil` if the network is allowed, unknown, or missing.
    ///
    /// - Parameter status: The status of the network.
    /// - Returns: The rule; the first one of several, in the order of the properties.
    package func objection(to status: NetworkStatus) -> NetworkAccessError.Rule? {
        guard status.mayConnect, status.source != .unavailable else { return nil }
        if !allowsCellular, Self.isCellular(status) { return .cellular }
        if !allowsExpensive, status.isExpensive { return .expensive }
        return !allowsConstrained && status.isConstrained ? .constrained : nil
    }

    /// Returns true if a network is cellular; an expensive one of unknown kind below a VPN counts as cellular.
    private static func isCellular(_ status: NetworkStatus) -> Bool {
        status.type == .cellular || status.underlyingType == .cellular
            || status.isVPNActive && status.underlyingType == .other && status.isExpensive
    }
}

/// A request was not sent, because its ``NetworkAccess`` does not allow the current network.
///
/// It is the cause of a `TransportError` with the code `notConnectedToInternet`.
public struct NetworkAccessError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The rule that forbids the network.
    @nonexhaustive
    public enum Rule: String, Sendable, Hashable {
        /// The network is cellular, and ``NetworkAccess/allowsCellular`` is false.
        case cellular
        /// The network is expensive, and ``NetworkAccess/allowsExpensive`` is false.
        case expensive
        /// The network is in Low Data Mode, and ``NetworkAccess/allowsConstrained`` is false.
        case constrained
    }

    /// The rule that forbids the network.
    public let rule: Rule

    package init(_ rule: Rule) { self.rule = rule }

    /// A sentence with the rule.
    public var description: String {
        "the current network is \(rule.rawValue), and access.allows\(rule.rawValue.capitalizedFirst) is false"
    }
}

// Makes `localizedDescription` return the same text as `description`.
extension NetworkAccessError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
