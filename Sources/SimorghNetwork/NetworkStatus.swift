// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// What is known of this machine's way to the internet at one moment.
///
/// *VPN active* and *VPN present* are two things: a VPN is active where packets to the internet go through it, and present
/// where a tunnel is up with an address, though perhaps only for the networks behind it (a split tunnel).
public struct NetworkStatus: Sendable, Hashable {
    /// Who knows it.
    @nonexhaustive
    public enum Source: String, Sendable, Hashable {
        /// The system, which tells of each change as it happens.
        case system
        /// The system, asked again and again, where it may not be listened to (a sandbox, seccomp) or answers no more.
        case polling
        /// A script, in a test.
        case script
        /// Nobody: this platform cannot tell.
        case nobody
    }

    /// What a ``NetworkProbe`` found out.
    @nonexhaustive
    public enum Reachability: String, Sendable, Hashable {
        /// Nobody has asked, or there is no answer yet.
        case unknown
        /// The internet answers.
        case open
        /// Somebody else answers, who wants a sign-in first.
        case captivePortal
        /// There is no answer, though there is a way.
        case unreachable
    }

    /// Whether there is a way to the internet, and through what.
    public var connectivity: Connectivity
    /// All devices, those that are switched off among them.
    public var interfaces: [NetworkInterface] = []
    /// The device that packets to the internet go through: that of IPv4 where both families have one.
    public var primaryInterface: NetworkInterface?
    /// What the internet is reached through, a VPN left aside; `nil` where there is no way or nothing is known.
    public var underlyingType: NetworkType?
    /// A Boolean value that indicates whether packets to the internet go through a VPN: those of IPv4, of IPv6, or both.
    ///
    /// If the VPN carries IPv6 alone, ``primaryInterface`` and ``type`` are those of IPv4 beside it.
    public var isVPNActive = false
    /// Whether a VPN's tunnel is up with an address, for whatever packets.
    public var isVPNPresent = false
    /// Whether IPv4 leads to the internet.
    public var supportsIPv4 = false
    /// Whether IPv6 leads to the internet.
    public var supportsIPv6 = false
    /// The addresses of the servers that names are looked up at, as they were two seconds after something else changed last.
    public var dnsServers: [String] = []
    /// The addresses of the routers on the way to the internet, at most one for each family.
    public var gateways: [String] = []
    /// Whether traffic may cost money; on Linux true for a mobile operator's network alone.
    public var isExpensive = false
    /// Whether the user asked to save data; always false on Linux.
    public var isConstrained = false
    /// What a ``NetworkProbe`` has found out on this network.
    public var reachability = Reachability.unknown
    /// Who knows this.
    public var source = Source.system
    /// Since when ``connectivity`` is what it is, as far as was watched.
    public var since = Date(timeIntervalSince1970: 0)
    /// When a monitor heard of it.
    package var told = Date(timeIntervalSince1970: 0)

    /// Creates a status, for tests say: with an interface of that type where it is connected.
    ///
    /// - Parameter connectivity: Whether there is a way to the internet, and through what.
    public init(_ connectivity: Connectivity) {
        self.connectivity = connectivity
        guard case .connected(let type) = connectivity else { return }
        supportsIPv4 = true
        let interface = NetworkInterface(
            name: "\(type.rawValue)0", kind: type.interfaceKind, index: 1, addresses: ["192.0.2.1"])
        (interfaces, primaryInterface) = ([interface], interface)
        (isVPNActive, isVPNPresent) = (type == .vpn, type == .vpn)
        underlyingType = type == .vpn ? .other : type
        isExpensive = type == .cellular
    }

    /// Whether there is a way to the internet.
    public var isConnected: Bool { connectivity.isConnected }

    /// What packets to the internet go through; `nil` where there is no way.
    public var type: NetworkType? {
        guard case .connected(let type) = connectivity else { return nil }
        return type
    }

    /// Whether not even a neighbour can be reached: no device but loopback is up with an address.
    package var isIsolated: Bool {
        !isConnected && source != .nobody
            && !interfaces.contains { interface in
                interface.isRunning && interface.kind != .loopback
                    && interface.addresses.contains { NumericAddress($0)?.isLinkLocal == false }
            }
    }

    /// Whether it tells the same as another, whenever that was.
    package func tellsSame(as other: NetworkStatus) -> Bool {
        var other = other
        (other.since, other.told) = (since, told)
        return self == other
    }

    /// What was the way, to see whether it is another: the device, its IPv4 addresses and its IPv6 networks.
    ///
    /// An IPv6 address of a network that was there comes and goes every few hours, for privacy, and is no other way.
    package var way: NetworkWay? {
        guard isConnected else { return nil }
        let addresses = (primaryInterface?.addresses ?? []).compactMap { NumericAddress($0) }
        let networks = addresses.filter { !$0.isLinkLocal }.map { $0.isIPv6 ? Array($0.bytes.prefix(8)) : $0.bytes }
        return NetworkWay(
            type: connectivity, index: primaryInterface?.index, networks: Set(networks), gateways: gateways)
    }
}

/// What tells one way to the internet from another.
package struct NetworkWay: Hashable, Sendable {
    package let type: Connectivity
    package let index: Int?
    package let networks: Set<[UInt8]>
    package let gateways: [String]
}

extension NetworkType {
    fileprivate var interfaceKind: NetworkInterface.Kind {
        switch self {
        case .wifi: .wifi
        case .cellular: .cellular
        case .ethernet: .ethernet
        case .other: .other
        case .vpn: .vpn
        }
    }
}
