// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Interprets a snapshot of an Apple platform: determines the kinds of its interfaces, and which one carries the
/// packets.
///
/// A tunnel counts as a VPN only if the system leads a path through it, or if the kernel would send packets to the
/// internet through it. Its addresses alone prove nothing: the system has tunnels of its own with addresses, such as
/// that of Xcode to a device and that of an iPhone to its watch.
struct ApplePathInterpreter {
    private let snapshot: ApplePathSnapshot
    private let addresses: [String: [NumericAddress]]
    /// The interfaces through which a path leads.
    private let onPath: Set<String>
    /// The first interface of the path to the internet.
    private let first: String?
    /// The interfaces through which the kernel would send packets to a public address of each family.
    private let ipv4: String?
    private let ipv6: String?

    init(_ snapshot: ApplePathSnapshot) {
        let addresses = snapshot.links.mapValues { $0.addresses.compactMap(Self.address(in:)) }
        let general = snapshot.general
        let tunnels = snapshot.tunnel.flatMap { $0.status == .satisfied ? $0.devices : nil } ?? []
        let onPath = Set((general.devices + tunnels).map(\.name))
        // The system's own tunnels have default routes of their own for each interface, which the kernel may choose if
        // there is no other route of that family.
        func owner(isIPv6: Bool, isSupported: Bool) -> String? {
            guard !snapshot.isReported || isSupported else { return nil }
            let sources = snapshot.sources.compactMap(Self.address(in:)).filter { address in
                address.isIPv6 == isIPv6 && !address.isLinkLocal && !address.isLoopback && !address.isUnspecified
            }
            let owners = snapshot.links.filter { name, link in
                link.isRunning && !name.hasPrefix("lo")
                    && (addresses[name] ?? []).contains(where: sources.contains)
            }
            return owners.keys.min { (onPath.contains($0) ? 0 : 1, $0) < (onPath.contains($1) ? 0 : 1, $1) }
        }
        self.snapshot = snapshot
        self.addresses = addresses
        self.onPath = onPath
        first = general.status == .satisfied ? general.devices.first?.name : nil
        ipv4 = owner(isIPv6: false, isSupported: general.supportsIPv4)
        ipv6 = owner(isIPv6: true, isSupported: general.supportsIPv6)
    }

    /// Returns an address as other systems write it.
    ///
    /// Darwin returns a link-local IPv6 address with the index of its interface in the third and fourth byte.
    ///
    /// - Parameter text: The address, with or without a zone after a percent sign.
    /// - Returns: The address without its zone; `nil` if the text is not an address.
    private static func address(in text: String) -> NumericAddress? {
        guard let address = NumericAddress(text.prefix { $0 != "%" }) else { return nil }
        guard address.isIPv6, address.isLinkLocal else { return address }
        return NumericAddress(address.bytes.prefix(2) + [0, 0] + address.bytes.dropFirst(4))
    }

    // MARK: Status

    var status: NetworkStatus {
        let general = snapshot.general
        var status = NetworkStatus(.disconnected)
        status.interfaces = interfaces
        status.isVPNPresent = status.interfaces.contains { $0.kind == .vpn && $0.isRunning }
        status.isExpensive = general.isExpensive
        status.isConstrained = general.isConstrained
        status.isUltraConstrained = general.isUltraConstrained
        let kernel = ipv4 ?? ipv6
        guard general.status == .satisfied || !snapshot.isReported && kernel != nil else {
            status.connectsOnDemand = general.status == .requiresConnection
            if status.connectsOnDemand { status.underlyingType = underlyingType(below: nil) }
            if snapshot.isReported { status.unsatisfiedReason = general.unsatisfiedReason }
            return status
        }
        // A tunnel of half routes (0/1 and 128/1) takes the packets, although the path names the network below it.
        let primary = isVPN(kernel, in: status) ? kernel : first ?? kernel
        status.primaryInterface = status.interfaces.first { $0.name == primary }
        status.underlyingType = underlyingType(below: primary)
        status.isVPNActive = [first, ipv4, ipv6].contains { isVPN($0, in: status) }
        status.isVPNPresent = status.isVPNPresent || status.isVPNActive
        status.connectivity = .connected(isVPN(primary, in: status) ? .vpn : status.underlyingType ?? .other)
        status.supportsIPv4 = general.supportsIPv4 || !snapshot.isReported && ipv4 != nil
        status.supportsIPv6 = general.supportsIPv6 || !snapshot.isReported && ipv6 != nil
        status.gateways = general.gateways.map { Self.address(in: $0)?.description ?? $0 }
        return status
    }

    private func isVPN(_ name: String?, in status: NetworkStatus) -> Bool {
        status.interfaces.contains { $0.name == name && $0.kind == .vpn }
    }

    private var interfaces: [NetworkInterface] {
        var interfaces: [NetworkInterface] = []
        for device in snapshot.general.devices + (snapshot.tunnel?.devices ?? [])
        where !interfaces.contains(where: { $0.name == device.name }) {
            interfaces.append(interface(device.name, type: device.type, index: device.index, isRunning: true))
        }
        // A path without internet access lists no interfaces, although this machine may have a local network.
        for (name, link) in snapshot.links.sorted(by: { $0.key < $1.key })
        where !interfaces.contains(where: { $0.name == name }) {
            interfaces.append(interface(name, type: nil, index: link.index, isRunning: link.isRunning))
        }
        return interfaces
    }

    private func interface(
        _ name: String, type: ApplePathSnapshot.DeviceType?, index: Int, isRunning: Bool
    ) -> NetworkInterface {
        NetworkInterface(
            name: name, kind: kind(of: name, type: type), index: index, isRunning: isRunning,
            addresses: (addresses[name] ?? []).map(\.description))
    }

    /// Returns the network that carries the packets, below a VPN.
    ///
    /// The documentation of `NWPath` does not say that a path through a tunnel also uses the type of the network below it,
    /// so the first other interface of the path counts if it does not.
    private func underlyingType(below primary: String?) -> NetworkType {
        let types = snapshot.general.types
        if types.contains(.ethernet) { return .ethernet }
        if types.contains(.wifi) { return .wifi }
        if types.contains(.cellular) { return .cellular }
        switch snapshot.general.devices.first(where: { $0.type != .other && $0.type != .loopback })?.type {
        case .ethernet: return .ethernet
        case .wifi: return .wifi
        case .cellular: return .cellular
        case .loopback, .other, nil:
            return primary.map { kind(of: $0, type: nil) } == .cellular ? .cellular : .other
        }
    }

    // MARK: Kinds of interfaces

    /// The prefixes of the names of interfaces that may be tunnels.
    private static let tunnels = ["utun", "tun", "ipsec", "ppp", "tap"]

    /// Returns the kind of an interface.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - type: The type that the system reports; `nil` if no path leads through it.
    /// - Returns: The kind.
    private func kind(of name: String, type: ApplePathSnapshot.DeviceType?) -> NetworkInterface.Kind {
        switch type {
        case .wifi?: return .wifi
        case .cellular?: return .cellular
        case .ethernet?: return .ethernet
        case .loopback?: return .loopback
        case .other?, nil: return kind(of: name)
        }
    }

    /// Returns the kind of an interface whose type the system does not report.
    private func kind(of name: String) -> NetworkInterface.Kind {
        if name.hasPrefix("lo") { return .loopback }
        if name.hasPrefix("pdp_ip") { return .cellular }
        // A tap belongs to a virtual machine as often; PPP may be the uplink itself: PPPoE, or a modem.
        if name.hasPrefix("tap") { return isCarrier(name) && hasUplink(beside: name) ? .vpn : .virtual }
        guard Self.tunnels.contains(where: name.hasPrefix), isUserTunnel(name) else { return .other }
        return name.hasPrefix("ppp") && !hasUplink(beside: name) ? .other : .vpn
    }

    /// Returns true if packets to the internet leave through an interface.
    private func isCarrier(_ name: String) -> Bool { [first, ipv4, ipv6].contains(name) }

    /// Returns true if a tunnel is not one of the system's own.
    ///
    /// Some of those are on a path, but have only a link-local address.
    private func isUserTunnel(_ name: String) -> Bool {
        isCarrier(name) || onPath.contains(name) && (addresses[name] ?? []).contains { !$0.isLinkLocal }
    }

    /// Returns true if the path has another interface that leads to the internet, so that this one need not carry all
    /// packets.
    private func hasUplink(beside name: String) -> Bool {
        snapshot.general.devices.contains { device in
            device.name != name && device.type != .loopback && !Self.tunnels.contains(where: device.name.hasPrefix)
        }
    }
}
