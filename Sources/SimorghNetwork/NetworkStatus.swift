// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// A snapshot of this machine's network and its route to the internet.
///
/// A VPN is *active* if packets to the internet go through it. It is *present* if a tunnel is up with an address, even
/// if it carries only packets to the networks behind it (a split tunnel). On Apple platforms a tunnel is present only
/// if the system leads a path through it: the system has tunnels of its own with addresses. Private Relay and VPNs that
/// are app proxies have no interface and are never a VPN here.
public struct NetworkStatus: Sendable, Hashable {
    /// The source of a status.
    @nonexhaustive
    public enum Source: String, Sendable, Hashable, Codable {
        /// The system, which reports each change as it happens.
        case system
        /// The system, polled because change notifications are not allowed (a sandbox, seccomp) or no longer arrive.
        case polling
        /// A script, in a test.
        case script
        /// No source: the platform is not supported, or the system cannot be queried at the moment.
        ///
        /// watchOS is not supported: its path monitor reports no network to ordinary apps. Requests are then sent
        /// without a check.
        case unavailable
    }

    /// The reason why there is no route to the internet, on Apple platforms.
    @nonexhaustive
    public enum UnsatisfiedReason: String, Sendable, Hashable, Codable, CustomStringConvertible {
        /// There is no network, or the system gives no reason.
        case notAvailable
        /// The user turned off mobile data for this app.
        case cellularDenied
        /// The user turned off Wi-Fi for this app.
        case wifiDenied
        /// The user did not allow this app to use the local network.
        case localNetworkDenied
        /// The traffic requires a VPN that is not active.
        case vpnInactive

        /// A description for an error message, such as "mobile data is turned off for this app".
        public var description: String {
            switch self {
            case .notAvailable: "no network is available"
            case .cellularDenied: "mobile data is turned off for this app"
            case .wifiDenied: "Wi-Fi is turned off for this app"
            case .localNetworkDenied: "this app is not allowed to use the local network"
            case .vpnInactive: "the required VPN is not active"
            }
        }
    }

    /// The result of a ``NetworkProbe``.
    @nonexhaustive
    public enum Reachability: String, Sendable, Hashable {
        /// There was no check, or it has no result yet.
        case unknown
        /// The internet responds.
        case open
        /// A captive portal responds, which requires a sign-in.
        case captivePortal
        /// There is no response, although there is a route.
        case unreachable
    }

    /// The availability of a route to the internet, and the kind of network it uses.
    public var connectivity: Connectivity
    /// All network interfaces, including those that are down.
    public var interfaces: [NetworkInterface] = []
    /// The interface that carries packets to the internet; that of IPv4 if both families have one.
    public var primaryInterface: NetworkInterface?
    /// True if there is no route to the internet now, but an attempt to connect may bring one up, such as a VPN on
    /// demand.
    ///
    /// ``connectivity`` is then ``Connectivity/disconnected``. Requests, downloads and the offline queue do not wait in
    /// this state. Always false on Linux.
    public var connectsOnDemand = false
    /// The reason why there is no route to the internet; `nil` if there is one, if the system gives no reason, and
    /// always on Linux.
    public var unsatisfiedReason: UnsatisfiedReason?
    /// The network that is used for the internet, below a VPN; `nil` if there is no route or it is unknown.
    public var underlyingType: NetworkType?
    /// A Boolean value that indicates whether packets to the internet go through a VPN: those of IPv4, of IPv6, or
    /// both.
    ///
    /// If the VPN carries only IPv6, ``primaryInterface`` and ``type`` are those of IPv4.
    public var isVPNActive = false
    /// True if the tunnel of a VPN is up with an address, whatever packets it carries; on Apple platforms only if a
    /// path of the system leads through it.
    public var isVPNPresent = false
    /// True if there is a route to the internet over IPv4.
    public var supportsIPv4 = false
    /// True if there is a route to the internet over IPv6.
    public var supportsIPv6 = false
    /// The addresses of the DNS servers, as of two seconds after the last other change; always empty on Apple
    /// platforms, which do not report them.
    public var dnsServers: [String] = []
    /// The addresses of the gateways to the internet, at most one for each family.
    public var gateways: [String] = []
    /// True if traffic may cost money; on Linux only for a cellular network.
    public var isExpensive = false
    /// True if the user asked to save data; always false on Linux.
    public var isConstrained = false
    /// True if the network is extremely limited, such as a satellite link; reported by Apple platforms from version 26
    /// on, otherwise false.
    public var isUltraConstrained = false
    /// The result of a ``NetworkProbe`` on this network.
    public var reachability = Reachability.unknown
    /// The source of this status.
    public var source = Source.system
    /// The time of the last change of ``connectivity`` that was observed.
    public var since = Date(timeIntervalSince1970: 0)
    /// The time at which a monitor received this status.
    package var receivedAt = Date(timeIntervalSince1970: 0)
    /// True if the system has not reported its network yet, so that the kind of network may be unknown.
    package var isProvisional = false

    /// Creates a status, for example for a test, with a matching interface if it is connected.
    ///
    /// - Parameter connectivity: The connectivity.
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

    /// True if there is a route to the internet.
    public var isConnected: Bool { connectivity.isConnected }

    /// True if an attempt to connect makes sense: there is a route, or one may come up on demand.
    package var mayConnect: Bool { isConnected || connectsOnDemand }

    /// The reason to add to an error message about a missing network; `nil` if the system gives none that helps.
    package var explanation: String? {
        mayConnect || unsatisfiedReason == .notAvailable ? nil : unsatisfiedReason?.description
    }

    /// The kind of network that carries packets to the internet; `nil` without a route.
    public var type: NetworkType? {
        guard case .connected(let type) = connectivity else { return nil }
        return type
    }

    /// True if not even the local network can be reached.
    ///
    /// There is no route to the internet, and none comes up on demand, and no interface except loopback is up with an
    /// address that is not link-local. False if the status is unavailable.
    package var isIsolated: Bool {
        !mayConnect && source != .unavailable
            && !interfaces.contains { interface in
                interface.isRunning && interface.kind != .loopback
                    && interface.addresses.contains { NumericAddress($0)?.isLinkLocal == false }
            }
    }

    /// Returns true if this status equals another, apart from their times.
    package func equalsIgnoringTimes(as other: NetworkStatus) -> Bool {
        var other = other
        (other.since, other.receivedAt) = (since, receivedAt)
        return self == other
    }

    /// The identity of the route: the interface, its IPv4 addresses and its IPv6 networks; `nil` without a route.
    ///
    /// Temporary IPv6 addresses of the same network change every few hours, for privacy, and do not change the route.
    package var route: RouteIdentity? {
        guard isConnected else { return nil }
        let addresses = (primaryInterface?.addresses ?? []).compactMap { NumericAddress($0) }
        let networks = addresses.filter { !$0.isLinkLocal }.map { $0.isIPv6 ? Array($0.bytes.prefix(8)) : $0.bytes }
        return RouteIdentity(
            type: connectivity, index: primaryInterface?.index, networks: Set(networks), gateways: gateways)
    }
}

/// The properties that distinguish one route to the internet from another.
package struct RouteIdentity: Hashable, Sendable {
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
