// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// An IPv4 or IPv6 address as its bytes.
package struct NumericAddress: Hashable, Sendable, CustomStringConvertible {
    /// Four or sixteen bytes, in the order of the network.
    package let bytes: [UInt8]

    /// An address of its bytes; `nil` unless there are four or sixteen.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = Array(bytes)
    }

    /// An address of its text; `nil` for a name, and for one with a zone.
    package init?(_ text: some StringProtocol) {
        var four = in_addr()
        var sixteen = in6_addr()
        let text = String(text)
        guard !text.utf8.contains(0) else { return nil }
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: &four) { Array($0) }
        } else if inet_pton(AF_INET6, text, &sixteen) == 1 {
            bytes = withUnsafeBytes(of: &sixteen) { Array($0) }
        } else {
            return nil
        }
    }

    package var isIPv6: Bool { bytes.count == 16 }

    /// Whether it is this machine itself.
    package var isLoopback: Bool {
        isIPv6 ? bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1 : bytes[0] == 127
    }

    /// Whether it is none: zeros, by which this machine is meant where somebody connects to them.
    package var isUnspecified: Bool { bytes.allSatisfy { $0 == 0 } }

    /// The IPv4 address that an IPv6 one stands for (`::ffff:192.0.2.1`); any other is itself.
    package var unmapped: NumericAddress {
        guard isIPv6, bytes.prefix(10).allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF else {
            return self
        }
        return NumericAddress(bytes.suffix(4)) ?? self
    }

    /// Whether it reaches no further than the next cable: what a machine gives itself where nobody gave it one.
    package var isLinkLocal: Bool {
        isIPv6 ? bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 : bytes[0] == 169 && bytes[1] == 254
    }

    /// Whether it belongs to a network of somebody's own, which is there without the internet.
    package var isPrivate: Bool {
        guard !isIPv6 else { return bytes[0] & 0xFE == 0xFC }
        return switch (bytes[0], bytes[1]) {
        case (10, _), (192, 168), (172, 16...31): true
        default: false
        }
    }

    /// Whether the first so many bits are those of another address of the same family.
    package func shares(_ count: Int, bitsWith other: NumericAddress) -> Bool {
        guard bytes.count == other.bytes.count, count >= 0, count <= bytes.count * 8 else { return false }
        let whole = count / 8
        guard bytes.prefix(whole) == other.bytes.prefix(whole) else { return false }
        let rest = count % 8
        return rest == 0 || (bytes[whole] ^ other.bytes[whole]) >> (8 - rest) == 0
    }

    package var description: String {
        var text = [CChar](repeating: 0, count: 64)
        let size = socklen_t(text.count)
        guard inet_ntop(isIPv6 ? AF_INET6 : AF_INET, bytes, &text, size) != nil else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
