// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The hosts of `NO_PROXY`, by the rules in curl's documentation.
package struct ProxyBypass: Sendable, Hashable {
    private struct Network: Sendable, Hashable {
        let address: [UInt8]
        let bits: Int

        func contains(_ other: [UInt8]) -> Bool {
            guard other.count == address.count else { return false }
            for bit in 0..<bits {
                let mask = UInt8(0x80) >> UInt8(bit % 8)
                if address[bit / 8] & mask != other[bit / 8] & mask { return false }
            }
            return true
        }
    }

    private var all = false
    private var names: [String] = []
    private var networks: [Network] = []

    /// Parses a list separated by commas or spaces; ignores invalid entries.
    package init(_ list: String) {
        if list.split(separator: " ").joined() == "*" {
            all = true
            return
        }
        for item in list.lowercased().split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }) {
            let parts = item.cut(at: "/", atMost: 1)
            let bare = parts[0].hasPrefix("[") && parts[0].hasSuffix("]") ? parts[0].dropFirst().dropLast() : parts[0]
            if let address = Self.address(String(bare)) {
                let bits = parts.count == 2 ? Int(parts[1]) : address.count * 8
                if let bits, (0...address.count * 8).contains(bits) {
                    networks.append(Network(address: address, bits: bits))
                }
            } else {
                let name = Self.withoutDots(item)
                // The host of a URL is in punycode. An entry that is not a valid host stays as text that equals no
                // host.
                if !name.isEmpty { names.append(HostSyntax.normalized(name) ?? name) }
            }
        }
    }

    /// Returns true if a host is reached without a proxy.
    ///
    /// - Parameter host: The host, in lowercase, without the brackets of an IPv6 literal.
    /// - Returns: True if the proxy is bypassed.
    package func contains(_ host: String) -> Bool {
        if all { return true }
        if let address = Self.address(host) { return networks.contains { $0.contains(address) } }
        guard !names.isEmpty else { return false }
        let host = Self.withoutDots(host[...])
        return names.contains { host == $0 || host.hasSuffix("." + $0) }
    }

    /// Removes a leading dot, which has no meaning, and the trailing dot of the root.
    private static func withoutDots(_ name: Substring) -> String {
        var name = name
        if name.hasPrefix(".") { name.removeFirst() }
        if name.hasSuffix(".") { name.removeLast() }
        return String(name)
    }

    private static func address(_ text: String) -> [UInt8]? {
        guard !text.utf8.contains(0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 { return Array(bytes.prefix(4)) }
        return inet_pton(AF_INET6, text, &bytes) == 1 ? bytes : nil
    }
}
