// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// An IPv4 or IPv6 address.
package struct NumericAddress: Hashable, Sendable, CustomStringConvertible {
    /// The four or sixteen bytes, in network byte order.
    package let bytes: [UInt8]

    /// Creates an address from bytes; `nil` unless there are four or sixteen.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = Array(bytes)
    }

    /// Creates an address from text; `nil` for a name, and for an address with a zone.
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

    /// True for a loopback address (`127.0.0.0/8`, `::1`).
    package var isLoopback: Bool {
        isIPv6 ? bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1 : bytes[0] == 127
    }

    /// True for the unspecified address (`0.0.0.0`, `::`); connecting to it reaches this machine.
    package var isUnspecified: Bool { bytes.allSatisfy { $0 == 0 } }

    /// The IPv4 address of an IPv4-mapped IPv6 address (`::ffff:192.0.2.1`); any other address unchanged.
    package var unmapped: NumericAddress {
        guard isIPv6, bytes.prefix(10).allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF else {
            return self
        }
        return NumericAddress(bytes.suffix(4)) ?? self
    }

    /// True for a link-local address, which is valid only on the local link, and which a machine assigns to itself.
    package var isLinkLocal: Bool {
        isIPv6 ? bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 : bytes[0] == 169 && bytes[1] == 254
    }

    /// True for an address of a private network, which is reachable without the internet.
    package var isPrivate: Bool {
        guard !isIPv6 else { return bytes[0] & 0xFE == 0xFC }
        return switch (bytes[0], bytes[1]) {
        case (10, _), (192, 168), (172, 16...31): true
        default: false
        }
    }

    /// Returns true if the first `count` bits equal those of another address of the same family.
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

extension NumericAddress: Codable {
    /// Decodes an address from its text.
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let address = NumericAddress(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "\(text) is not an IP address"))
        }
        self = address
    }

    /// Encodes the address as text.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
