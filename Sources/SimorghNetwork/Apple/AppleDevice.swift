// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension NetworkInterface.Kind {
    /// What a device of Apple's systems is by its name alone, where the system does not say more.
    ///
    /// An `ipsec` is a VPN's of IKEv2, or the system's own to the operator, for calls over Wi-Fi, with an address like any
    /// other. What tells them apart is that no path is led through the operator's.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - isOnPath: Whether the system leads some path through it.
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
