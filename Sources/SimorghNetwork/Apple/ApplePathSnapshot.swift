// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A snapshot of the path monitors of Apple platforms, in platform-independent types; ``status`` is derived from it.
package struct ApplePathSnapshot: Hashable, Sendable {
    /// The interface types that the system reports.
    package enum DeviceType: Hashable, Sendable { case wifi, cellular, ethernet, loopback, other }

    /// An interface on a path of the system.
    package struct Device: Hashable, Sendable {
        package let name: String
        package let type: DeviceType
        package let index: Int

        package init(_ name: String, type: DeviceType, index: Int = 0) {
            self.name = name
            self.type = type
            self.index = index
        }
    }

    /// The state of an interface, whether it is on a path or not.
    package struct Link: Hashable, Sendable {
        package var index = 0
        package var isRunning = false
        package var addresses: [String] = []

        package init() {}
    }

    /// The interfaces of the path to the internet; the first one carries the packets.
    package var devices: [Device] = []
    /// The interfaces of paths through tunnels, including tunnels beside the default path.
    package var tunnels: [Device] = []
    /// All interfaces by name.
    package var links: [String: Link] = [:]
    /// The interface types that the path uses, also below a tunnel.
    package var types: Set<DeviceType> = []
    /// True if there is a path to the internet.
    package var isSatisfied = false
    package var isExpensive = false
    package var isConstrained = false
    package var supportsIPv4 = false
    package var supportsIPv6 = false
    package var gateways: [String] = []

    package init() {}

    /// The network status derived from this snapshot.
    package var status: NetworkStatus {
        var status = NetworkStatus(.disconnected)
        status.interfaces = interfaces
        status.isVPNPresent = status.interfaces.contains { $0.kind == .vpn && $0.isRunning }
        status.isExpensive = isExpensive
        status.isConstrained = isConstrained
        guard isSatisfied else { return status }
        status.primaryInterface = devices.first.flatMap { first in
            status.interfaces.first { $0.name == first.name }
        }
        status.underlyingType = underlyingType
        status.isVPNActive = status.primaryInterface?.kind == .vpn
        status.connectivity = .connected(status.isVPNActive ? .vpn : underlyingType)
        status.supportsIPv4 = supportsIPv4
        status.supportsIPv6 = supportsIPv6
        status.gateways = gateways
        return status
    }

    private var interfaces: [NetworkInterface] {
        var interfaces: [NetworkInterface] = []
        for device in devices + tunnels where !interfaces.contains(where: { $0.name == device.name }) {
            interfaces.append(
                NetworkInterface(
                    name: device.name, kind: kind(of: device.name, type: device.type), index: device.index,
                    addresses: links[device.name]?.addresses ?? []))
        }
        // A path without internet access lists no interfaces, although this machine may have a local network.
        for (name, link) in links.sorted(by: { $0.key < $1.key })
        where !interfaces.contains(where: { $0.name == name }) {
            interfaces.append(
                NetworkInterface(
                    name: name, kind: kind(of: name, type: nil), index: link.index, isRunning: link.isRunning,
                    addresses: link.addresses))
        }
        return interfaces
    }

    private var underlyingType: NetworkType {
        if types.contains(.ethernet) { return .ethernet }
        if types.contains(.wifi) { return .wifi }
        return types.contains(.cellular) ? .cellular : .other
    }

    /// Returns the kind of an interface.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - type: The type that the system reports; `nil` if no path leads through it.
    /// - Returns: The kind.
    private func kind(of name: String, type: DeviceType?) -> NetworkInterface.Kind {
        switch type {
        case .wifi?: return .wifi
        case .cellular?: return .cellular
        case .ethernet?: return .ethernet
        case .loopback?: return .loopback
        case .other?, nil:
            let kind = NetworkInterface.Kind(ofAppleDevice: name, isOnPath: type != nil)
            return kind == .vpn && !isUserTunnel(name) ? .other : kind
        }
    }

    /// Returns true if a tunnel belongs to the user.
    ///
    /// The system keeps tunnels of its own, which have only a link-local address and carry nothing to the internet.
    private func isUserTunnel(_ name: String) -> Bool {
        if isSatisfied, devices.first?.name == name { return true }
        return (links[name]?.addresses ?? []).contains { NumericAddress($0)?.isLinkLocal == false }
    }
}

extension NetworkInterface.Kind {
    /// Creates the kind of an interface on Apple platforms from its name, if the system does not report more.
    ///
    /// An `ipsec` interface belongs to an IKEv2 VPN, or to the system's own tunnel to the operator for calls over
    /// Wi-Fi, which also has an address. Only the tunnel of a VPN is on a network path.
    ///
    /// - Parameters:
    ///   - name: The name of the interface.
    ///   - isOnPath: True if a network path of the system leads through it.
    package init(ofAppleDevice name: String, isOnPath: Bool) {
        if name.hasPrefix("lo") {
            self = .loopback
        } else if ["utun", "tun", "tap", "ppp"].contains(where: name.hasPrefix) || isOnPath && name.hasPrefix("ipsec") {
            self = .vpn
        } else {
            self = .other
        }
    }
}
