// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghNetwork
import SimorghSupport

/// A network device of a simulated machine.
package struct Device: Sendable {
    package var name: String
    package var driver: String?
    package var type: UInt16
    package var hint: String?
    package var isUp: Bool
    package var isRunning: Bool
    package var isTap: Bool
    package var addresses: [String]
    package var prefixLength: UInt8
    package var lower: String?
    package var master: String?
    package var isAcrossNamespaces: Bool

    package init(
        name: String, driver: String? = nil, type: UInt16 = 1, hint: String? = nil, isUp: Bool = true,
        isRunning: Bool = true, isTap: Bool = false, addresses: [String] = [], prefixLength: UInt8 = 24,
        lower: String? = nil, master: String? = nil, isAcrossNamespaces: Bool = false
    ) {
        self.name = name
        self.driver = driver
        self.type = type
        self.hint = hint
        self.isUp = isUp
        self.isRunning = isRunning
        self.isTap = isTap
        self.addresses = addresses
        self.prefixLength = prefixLength
        self.lower = lower
        self.master = master
        self.isAcrossNamespaces = isAcrossNamespaces
    }

    package static let loopback = Device(name: "lo", type: 772, addresses: ["127.0.0.1", "::1"])

    package static func ethernet(_ name: String = "eth0", addresses: String...) -> Device {
        Device(name: name, hint: "", addresses: addresses)
    }

    package static func wifi(_ name: String = "wlan0", addresses: String...) -> Device {
        Device(name: name, hint: "wlan", addresses: addresses)
    }

    package static func cellular(_ name: String, type: UInt16 = 519, hint: String? = nil, addresses: String...)
        -> Device
    {
        Device(name: name, type: type, hint: hint, addresses: addresses)
    }

    package static func driven(_ driver: String, name: String, type: UInt16 = 1, addresses: String...) -> Device {
        Device(name: name, driver: driver, type: type, addresses: addresses)
    }

    package static func tun(_ name: String = "tun0", addresses: String...) -> Device {
        Device(name: name, driver: "tun", type: 65534, addresses: addresses)
    }

    package static func wireguard(_ name: String = "wg0", addresses: String...) -> Device {
        Device(name: name, driver: "wireguard", type: 65534, addresses: addresses)
    }

    package static func ppp(_ name: String = "ppp0", addresses: String...) -> Device {
        Device(name: name, driver: "ppp", type: 512, addresses: addresses)
    }

    package func with(_ change: (inout Device) -> Void) -> Device {
        var device = self
        change(&device)
        return device
    }

    package var off: Device { with { ($0.isUp, $0.isRunning) = (false, false) } }
    package var withoutCarrier: Device { with { $0.isRunning = false } }
}

extension KernelNetworkSnapshot {
    /// Creates a simulated machine from its devices and the names of those that lead to the internet.
    package init(
        _ devices: [Device], v4: String? = nil, v6: String? = nil, uplinks: [String] = [], source: String? = nil,
        gateway: String? = nil
    ) {
        self.init()
        let devices = [Device.loopback] + devices
        func index(_ name: String?) -> Int32? { devices.firstIndex { $0.name == name }.map { Int32($0 + 1) } }
        for device in devices {
            var link = NetlinkLink()
            link.index = index(device.name) ?? 0
            link.name = device.name
            link.hardwareType = device.type
            link.driver = device.driver
            link.isTap = device.isTap
            link.flags = (device.isUp ? 0x1 : 0) | (device.isRunning ? 0x40 : 0) | (device.type == 772 ? 0x8 : 0)
            link.lower = index(device.lower)
            link.master = index(device.master)
            link.isAcrossNamespaces = device.isAcrossNamespaces
            links.append(link)
            if let hint = device.hint { hints[link.index] = hint }
            addresses += device.addresses.compactMap { NumericAddress($0) }.map { address in
                NetlinkAddress(index: link.index, address: address, prefixLength: device.prefixLength, flags: 0)
            }
        }
        ipv4 = index(v4).map { Self.route($0, isIPv6: false, source: source) }
        ipv4?.gateway = gateway.flatMap { NumericAddress($0) }
        ipv6 = index(v6).map { Self.route($0, isIPv6: true, source: source) }
        self.uplinks = Set(uplinks.compactMap(index))
    }

    private static func route(_ index: Int32, isIPv6: Bool, source: String?) -> NetlinkRoute {
        var route = NetlinkRoute()
        route.isIPv6 = isIPv6
        route.outgoing = [index]
        route.source = source.flatMap { NumericAddress($0) }
        return route
    }
}

extension NetworkStatus {
    /// The relevant properties, in one line.
    package var summary: String {
        var words = [type.map(\.rawValue) ?? "none"]
        if let underlyingType, type == .vpn { words.append("over \(underlyingType.rawValue)") }
        if supportsIPv4 { words.append("4") }
        if supportsIPv6 { words.append("6") }
        if isVPNActive { words.append("active") }
        if isVPNPresent { words.append("present") }
        if isExpensive { words.append("expensive") }
        return words.joined(separator: " ")
    }
}
