// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// What the path monitors of Apple's systems tell at one moment, in words of no platform: what ``status`` is made of.
package struct PathPicture: Hashable, Sendable {
    /// What the system calls a device.
    package enum DeviceType: Hashable, Sendable { case wifi, cellular, ethernet, loopback, other }

    /// A device that the system leads some path through.
    package struct Device: Hashable, Sendable {
        package let name: String
        package let type: DeviceType
        package let index: Int

        package init(_ name: String, _ type: DeviceType, index: Int = 0) {
            self.name = name
            self.type = type
            self.index = index
        }
    }

    /// What a device has, whether a path leads through it or not.
    package struct Link: Hashable, Sendable {
        package var index = 0
        package var isRunning = false
        package var addresses: [String] = []

        package init() {}
    }

    /// The devices of the way to the internet; the first is the one that packets take.
    package var devices: [Device] = []
    /// The devices of paths through tunnels, those beside that way among them.
    package var tunnels: [Device] = []
    /// All devices by their names.
    package var links: [String: Link] = [:]
    /// What the way goes through, below a tunnel, too.
    package var types: Set<DeviceType> = []
    /// Whether there is a way.
    package var isSatisfied = false
    package var isExpensive = false
    package var isConstrained = false
    package var supportsIPv4 = false
    package var supportsIPv6 = false
    package var gateways: [String] = []

    package init() {}

    /// What is made known of it.
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
                    name: device.name, kind: kind(device.name, device.type), index: device.index,
                    addresses: links[device.name]?.addresses ?? []))
        }
        // A path that leads nowhere has no devices, though this machine may have a network without the internet.
        for (name, link) in links.sorted(by: { $0.key < $1.key })
        where !interfaces.contains(where: { $0.name == name }) {
            interfaces.append(
                NetworkInterface(
                    name: name, kind: kind(name, nil), index: link.index, isRunning: link.isRunning,
                    addresses: link.addresses))
        }
        return interfaces
    }

    private var underlyingType: NetworkType {
        if types.contains(.ethernet) { return .ethernet }
        if types.contains(.wifi) { return .wifi }
        return types.contains(.cellular) ? .cellular : .other
    }

    /// What a device is.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - type: What the system calls it; `nil` where no path leads through it.
    /// - Returns: What it is.
    private func kind(_ name: String, _ type: DeviceType?) -> NetworkInterface.Kind {
        switch type {
        case .wifi?: return .wifi
        case .cellular?: return .cellular
        case .ethernet?: return .ethernet
        case .loopback?: return .loopback
        case .other?, nil:
            let kind = NetworkInterface.Kind(ofAppleDevice: name, isOnPath: type != nil)
            return kind == .vpn && !isOfUser(name) ? .other : kind
        }
    }

    /// Whether a tunnel is a user's: the system keeps some of its own, which have no address but a link's, and carry nothing
    /// to the internet.
    private func isOfUser(_ name: String) -> Bool {
        if isSatisfied, devices.first?.name == name { return true }
        return (links[name]?.addresses ?? []).contains { NumericAddress($0)?.isLinkLocal == false }
    }
}
