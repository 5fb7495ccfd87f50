// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Which texts name a host.
package enum HostRules {
    /// Why a text names none, as the end of a sentence about it; `nil` if it does.
    ///
    /// - Parameter host: A name, an IPv4 address, or an IPv6 address in brackets.
    /// - Returns: The objection, or `nil`.
    package static func objection(to host: Substring.UTF8View) -> String? {
        guard host.first != UInt8(ascii: "[") else { return objection(toIPv6: host) }
        guard host.allSatisfy({ $0 < 0x80 }) else { return "is not ASCII: write it in its punycode form (xn--…)" }
        guard host.allSatisfy(ByteSet.hostName.contains) else { return "holds a character that no host has" }
        guard host.count <= 254 else { return "is longer than a name can be" }
        // A dot at the end is the root's.
        let labels = (host.last == UInt8(ascii: ".") ? host.dropLast() : host)
            .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.allSatisfy({ (1...63).contains($0.count) }) else { return "has an empty or too long label" }
        // A resolver would read `127.1`, `0x7f.1` and `2130706433` as addresses nobody wrote.
        guard let last = labels.last, looksLikeNumber(last) else { return nil }
        return isIPv4(labels) ? nil : "ends in a number but is no IPv4 address of four decimal parts"
    }

    private static func looksLikeNumber(_ label: Substring.UTF8View) -> Bool {
        label.allSatisfy(ByteSet.digits.contains)
            || (label.count >= 2 && label.first == UInt8(ascii: "0")
                && label.dropFirst().first.map { $0 | 0x20 } == UInt8(ascii: "x")
                && label.dropFirst(2).allSatisfy { PercentEncoding.hexValue($0) != nil })
    }

    private static func isIPv4(_ labels: [Substring.UTF8View]) -> Bool {
        labels.count == 4
            && labels.allSatisfy { label in
                guard label.count == 1 || label.first != UInt8(ascii: "0") else { return false }
                return UInt8(String(Substring(label))) != nil
            }
    }

    private static func objection(toIPv6 host: Substring.UTF8View) -> String? {
        guard host.last == UInt8(ascii: "]") else { return "has an opening bracket without its closing one" }
        let address = host.dropFirst().dropLast()
        guard !address.contains(UInt8(ascii: "%")) else { return "has an IPv6 zone, which a URL cannot carry" }
        var parsed = in6_addr()
        let isValid = !address.contains(0) && inet_pton(AF_INET6, String(Substring(address)), &parsed) == 1
        return isValid ? nil : "has brackets but is no IPv6 address"
    }
}
