// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The syntax of hosts.
package enum HostSyntax {
    /// The reason why a text is not a valid host, as the end of a sentence about it.
    package struct SyntaxError: Error, Equatable, ExpressibleByStringLiteral {
        /// The words after the host.
        package let text: String

        init(_ text: String) { self.text = text }

        package init(stringLiteral text: String) { self.text = text }
    }

    /// Validates a host and returns it in lower case, in punycode if it has non-ASCII characters.
    ///
    /// - Parameter host: A name, an IPv4 address, or an IPv6 address in brackets.
    /// - Returns: The host in ASCII, or the reason why it is invalid.
    package static func normalized(_ host: UnsafeBufferPointer<UInt8>) -> Result<String, SyntaxError> {
        guard let objection = objection(to: host) else {
            let text = String(decoding: host, as: UTF8.self)
            let hasUppercase = host.contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
            return .success(hasUppercase ? text.lowercased() : text)
        }
        guard host.first != UInt8(ascii: "["), let text = InternationalName.text(host) else {
            return .failure(SyntaxError(objection))
        }
        switch InternationalName.ascii(text) {
        case .failure(let objection): return .failure(objection)
        case .success(var name):
            if let objection = name.withUTF8({ Self.objection(to: $0) }) { return .failure(SyntaxError(objection)) }
            return .success(name)
        }
    }

    /// Validates a host and returns it in lower case, in punycode if it has non-ASCII characters.
    ///
    /// - Parameter text: A name, an IPv4 address, or an IPv6 address in brackets.
    /// - Returns: The host in ASCII; `nil` if it is invalid.
    package static func normalized(_ text: String) -> String? {
        var text = text
        return try? text.withUTF8 { normalized($0) }.get()
    }

    /// Returns the reason why a host is invalid, as the end of a sentence about it; `nil` if it is valid.
    ///
    /// - Parameter host: A name, an IPv4 address, or an IPv6 address in brackets.
    /// - Returns: The reason, or `nil`.
    static func objection(to host: UnsafeBufferPointer<UInt8>) -> String? {
        guard host.first != UInt8(ascii: "[") else { return objection(toIPv6: host) }
        guard host.count <= 254 else { return "is longer than 254 characters" }
        var labelLength = 0
        var lastLabel = 0
        let allowed = ByteSet.hostName
        for index in host.indices {
            let byte = host[index]
            guard byte < 0x80 else { return "is not ASCII" }
            guard allowed.contains(byte) else { return "contains a character that is not allowed in a host" }
            if byte == UInt8(ascii: ".") {
                guard labelLength > 0 else { return "has an empty label" }
                labelLength = 0
            } else {
                if labelLength == 0 { lastLabel = index }
                labelLength += 1
                guard labelLength <= 63 else { return "has a label of more than 63 characters" }
            }
        }
        // A resolver would accept `127.1`, `0x7f.1` and `2130706433` as unexpected addresses. A trailing dot is the
        // root and not part of the last label.
        guard looksLikeNumber(host[lastLabel...].prefix { $0 != UInt8(ascii: ".") }) else { return nil }
        return isIPv4(host) ? nil : "ends in a number but is not an IPv4 address of four decimal parts"
    }

    /// Returns true if a resolver would take a host with this last label as an IPv4 address.
    ///
    /// - Parameter label: The label.
    /// - Returns: True for decimal digits, and for `0x` with hexadecimal digits.
    package static func looksLikeNumber(_ label: some Collection<UInt8>) -> Bool {
        guard let first = label.first, ByteSet.digits.contains(first) else { return false }
        if label.allSatisfy(ByteSet.digits.contains) { return true }
        let digits = label.dropFirst(2)
        return first == UInt8(ascii: "0") && label.dropFirst().first.map { $0 | 0x20 } == UInt8(ascii: "x")
            && digits.allSatisfy { PercentEncoding.hexValue($0) != nil }
    }

    /// Returns true for four numbers up to 255, without leading zeros, separated by dots.
    private static func isIPv4(_ host: UnsafeBufferPointer<UInt8>) -> Bool {
        var parts = 1
        var (value, digits) = (0, 0)
        for byte in host {
            if byte == UInt8(ascii: ".") {
                (parts, value, digits) = (parts + 1, 0, 0)
            } else {
                guard ByteSet.digits.contains(byte), digits == 0 || value > 0 else { return false }
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
                digits += 1
                guard value <= 255 else { return false }
            }
        }
        return parts == 4 && digits > 0
    }

    private static func objection(toIPv6 host: UnsafeBufferPointer<UInt8>) -> String? {
        guard host.last == UInt8(ascii: "]") else { return "has an opening bracket without its closing one" }
        let address = host.dropFirst().dropLast()
        guard !address.contains(UInt8(ascii: "%")) else { return "has an IPv6 zone, which a URL cannot carry" }
        var parsed = in6_addr()
        let text = String(decoding: address, as: UTF8.self)
        let isValid = !address.contains(0) && inet_pton(AF_INET6, text, &parsed) == 1
        return isValid ? nil : "has brackets but is not an IPv6 address"
    }
}
