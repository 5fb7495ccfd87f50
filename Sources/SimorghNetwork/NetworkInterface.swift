// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A network interface, in hardware or software.
public struct NetworkInterface: Sendable, Hashable {
    /// The kind of an interface.
    @nonexhaustive
    public enum Kind: String, Sendable, Hashable {
        /// A wireless local network (Wi-Fi).
        case wifi
        /// A cable, or an interface that looks like one: USB tethering of a phone, the network card of a virtual
        /// machine.
        case ethernet
        /// A cellular network.
        case cellular
        /// The loopback interface.
        case loopback
        /// A tunnel of a virtual private network: WireGuard, tun, IPsec with a device, PPP that does not carry the
        /// uplink.
        case vpn
        /// A virtual interface that is not a VPN: bridges, bonds, VLANs, the interfaces of containers and virtual
        /// machines.
        case `virtual`
        /// Any other interface, including unencrypted tunnels (GRE, SIT, IPIP).
        case other
    }

    /// The name of the interface in the system, such as `wlan0`.
    public var name: String
    /// The index of the interface in the system; 0 if unknown.
    public var index: Int
    /// The kind of the interface.
    public var kind: Kind
    /// The system's name of the driver, such as `wireguard`; `nil` for most hardware.
    public var driver: String?
    /// True if it is up and can carry packets: the cable is plugged in, the tunnel's daemon runs.
    public var isRunning: Bool
    /// The IP addresses of the interface.
    public var addresses: [String]

    /// Creates an interface, for example for a test.
    ///
    /// - Parameters:
    ///   - name: The name of the interface in the system.
    ///   - kind: The kind of the interface.
    ///   - index: The index of the interface in the system.
    ///   - driver: The system's name of the driver.
    ///   - isRunning: True if it can carry packets.
    ///   - addresses: The IP addresses of the interface.
    public init(
        name: String, kind: Kind, index: Int = 0, driver: String? = nil, isRunning: Bool = true,
        addresses: [String] = []
    ) {
        self.name = name
        self.kind = kind
        self.index = index
        self.driver = driver
        self.isRunning = isRunning
        self.addresses = addresses
    }
}
