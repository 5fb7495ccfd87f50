// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

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
