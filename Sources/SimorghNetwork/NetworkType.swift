// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The kind of network that carries packets to the internet.
public enum NetworkType: String, Sendable, Hashable, CaseIterable {
    /// A wireless local network (Wi-Fi).
    case wifi
    /// A cellular network.
    case cellular
    /// A cable; also a VLAN, bridge or bond over one.
    case ethernet
    /// Any other network, such as the uplink of a container or a serial link.
    case other
    /// A tunnel of a virtual private network, whatever network it uses.
    case vpn
}
