// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A device that packets go through, hardware or not.
public struct NetworkInterface: Sendable, Hashable {
    /// What a device is.
    @nonexhaustive
    public enum Kind: String, Sendable, Hashable {
        /// A wireless local network.
        case wifi
        /// A cable, or what looks like one: a phone that shares its connection over USB, a virtual machine's card.
        case ethernet
        /// A mobile operator's network.
        case cellular
        /// This machine itself.
        case loopback
        /// A tunnel of a virtual private network: WireGuard, tun, IPsec with a device, PPP that does not carry the uplink.
        case vpn
        /// Software that is no VPN: bridges, bonds, VLANs, the ends of containers and virtual machines.
        case `virtual`
        /// Anything else, tunnels without secrecy (GRE, SIT, IPIP) among it.
        case other
    }

    /// The system's name for it, such as `wlan0`.
    public var name: String
    /// The system's number for it; 0 where it is not known.
    public var index: Int
    /// What it is.
    public var kind: Kind
    /// The system's word for what drives it, such as `wireguard`; `nil` for most hardware.
    public var driver: String?
    /// Whether it is switched on and packets can pass: the cable is plugged in, the tunnel's daemon lives.
    public var isRunning: Bool
    /// Its addresses.
    public var addresses: [String]

    /// Creates an interface, for tests say.
    ///
    /// - Parameters:
    ///   - name: The system's name for it.
    ///   - kind: What it is.
    ///   - index: The system's number for it.
    ///   - driver: The system's word for what drives it.
    ///   - isRunning: Whether packets can pass.
    ///   - addresses: Its addresses.
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
