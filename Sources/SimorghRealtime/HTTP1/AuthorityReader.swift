// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Reads the host and the port of an authority.
package enum AuthorityReader {
    /// Returns the host and port of an authority; `nil` if it contains anything else, such as credentials.
    package static func split(_ authority: String) -> (host: String, port: Int?)? {
        authority.withBytes { split($0) }
    }

    private static func split(_ authority: UnsafeRawBufferPointer) -> (host: String, port: Int?)? {
        var end = authority.count
        var hasUppercase = false
        guard let first = authority.first else { return nil }
        let isLiteral = first == UInt8(ascii: "[")
        for index in 0..<authority.count {
            switch authority[index] {
            case UInt8(ascii: ":"):
                if isLiteral { break }
                guard end == authority.count else { return nil }
                end = index
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): hasUppercase = true
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "@"), UInt8(ascii: "\\"):
                return nil
            case 0...0x20, 0x7F: return nil
            default: break
            }
        }
        if isLiteral { return splitLiteral(authority) }
        let host = String(decoding: UnsafeRawBufferPointer(rebasing: authority[..<end]), as: UTF8.self)
        let own = hasUppercase ? host.lowercased() : host
        guard end < authority.count else { return (own, nil) }
        guard end > 0, let port = port(authority[(end + 1)...]) else { return nil }
        return (own, port)
    }

    private static func splitLiteral(_ authority: UnsafeRawBufferPointer) -> (host: String, port: Int?)? {
        guard let end = authority.firstIndex(of: UInt8(ascii: "]")) else { return nil }
        let host = UnsafeRawBufferPointer(rebasing: authority[1..<end])
        guard host.contains(UInt8(ascii: ":")) else { return nil }
        let name = String(decoding: host, as: UTF8.self).lowercased()
        let rest = authority[(end + 1)...]
        if rest.isEmpty { return (name, nil) }
        guard rest.first == UInt8(ascii: ":"), let port = port(rest.dropFirst()) else { return nil }
        return (name, port)
    }

    private static func port(_ digits: Slice<UnsafeRawBufferPointer>) -> Int? {
        guard (1...5).contains(digits.count) else { return nil }
        var port = 0
        for digit in digits {
            guard digit.isASCIIDigit else { return nil }
            port = port * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return (1...65535).contains(port) ? port : nil
    }
}
