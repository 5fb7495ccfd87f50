// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNetwork
import SimorghSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct AppleDeviceTests {
    @Test(
        "NetworkInterface.Kind is derived from the device name, and for ipsec also from the path",
        arguments: [
            ("lo0", NetworkInterface.Kind.loopback, NetworkInterface.Kind.loopback), ("utun3", .vpn, .vpn),
            ("tun0", .vpn, .vpn), ("tap0", .vpn, .vpn), ("ppp0", .vpn, .vpn), ("ipsec0", .vpn, .other),
            ("awdl0", .other, .other), ("bridge100", .other, .other), ("anpi0", .other, .other),
        ])
    func names(name: String, onPath: NetworkInterface.Kind, beside: NetworkInterface.Kind) {
        #expect(NetworkInterface.Kind(ofAppleDevice: name, isOnPath: true) == onPath)
        #expect(NetworkInterface.Kind(ofAppleDevice: name, isOnPath: false) == beside)
    }
}
