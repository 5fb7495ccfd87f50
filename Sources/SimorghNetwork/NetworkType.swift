// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What packets to the internet go through.
public enum NetworkType: String, Sendable, Hashable, CaseIterable {
    /// A wireless local network.
    case wifi
    /// A mobile operator's network.
    case cellular
    /// A cable; also a VLAN, bridge or bond over one.
    case ethernet
    /// Something else: the uplink of a container, a serial line.
    case other
    /// A tunnel of a virtual private network, whatever it runs over.
    case vpn
}
