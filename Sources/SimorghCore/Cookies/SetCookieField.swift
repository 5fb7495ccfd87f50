// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A parsed `Set-Cookie` field, before the rules for storing it are applied (RFC 6265bis, section 5.6).
package struct SetCookieField: Sendable, Hashable {
    /// The largest size of the name and the value together, in bytes.
    package static let maximumCookieBytes = 4096
    /// The largest size of an attribute's value, in bytes; an attribute with a longer value is ignored.
    package static let maximumAttributeBytes = 1024

    /// The name; with a replacement character for each part that is not UTF-8.
    package private(set) var name: String
    /// The value; with a replacement character for each part that is not UTF-8.
    package private(set) var value: String
    /// The bytes of the name and the value; `nil` if both are UTF-8.
    package private(set) var rawPair: StoredCookie.RawPair?
    package private(set) var expires: Date?
    package private(set) var maxAge: Int64?
    /// The value of the last `Domain`, without a leading dot; `nil` if there is no such attribute.
    package private(set) var domain: String?
    /// The value of the last `Path`; `nil` if there is no such attribute.
    package private(set) var path: String?
    package private(set) var isSecure = false
    package private(set) var isHTTPOnly = false
    package private(set) var sameSite: StoredCookie.SameSite?

    /// Parses a field; `nil` for a field to ignore because it has a control character, is empty, or is too large.
    ///
    /// - Parameter bytes: The field's value.
    package init?(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else { return nil }
        var parts = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)[...]
        guard let pair = parts.popFirst() else { return nil }
        let (left, right) = Self.cut(pair)
        // Without an equals sign the text is the value, and the name is empty.
        let (name, value) = right.map { (left, $0) } ?? ([], left)
        guard name.count + value.count <= Self.maximumCookieBytes, !name.isEmpty || !value.isEmpty else { return nil }
        rawPair = StoredCookie.RawPair(name: Array(name), value: Array(value))
        self.name = String(decoding: name, as: UTF8.self)
        self.value = String(decoding: value, as: UTF8.self)
        for part in parts {
            let (name, value) = Self.cut(part)
            let text = value ?? []
            if text.count <= Self.maximumAttributeBytes {
                take(String(decoding: name, as: UTF8.self).lowercased(), value: text)
            }
        }
    }

    private mutating func take(_ attribute: String, value: ArraySlice<UInt8>) {
        switch attribute {
        case "expires":
            if let date = HTTPDate.cookie(value) { expires = date }
        case "max-age":
            if let seconds = Self.seconds(value) { maxAge = seconds }
        case "domain":
            let isDotted = value.first == UInt8(ascii: ".")
            domain = String(decoding: isDotted ? value.dropFirst() : value, as: UTF8.self).lowercased()
        case "path": path = String(decoding: value, as: UTF8.self)
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        case "samesite":
            sameSite = StoredCookie.SameSite(rawValue: String(decoding: value, as: UTF8.self).lowercased())
        default: break
        }
    }

    /// Parses a number of seconds, clamped to the range of dates; returns `nil` if it is not a number.
    private static func seconds(_ value: ArraySlice<UInt8>) -> Int64? {
        let isNegative = value.first == UInt8(ascii: "-")
        let digits = isNegative ? value.dropFirst() : value
        guard !digits.isEmpty, digits.allSatisfy(ByteSet.digits.contains) else { return nil }
        let significant = digits.drop { $0 == UInt8(ascii: "0") }
        let number = significant.count > 12 ? 1_000_000_000_000 : significant.reduce(0) { $0 * 10 + Int64($1 - 48) }
        return isNegative ? -number : number
    }

    /// Returns the texts before and after the first equals sign, without surrounding spaces and tabs.
    private static func cut(_ part: ArraySlice<UInt8>) -> (ArraySlice<UInt8>, ArraySlice<UInt8>?) {
        guard let sign = part.firstIndex(of: UInt8(ascii: "=")) else { return (trimmed(part), nil) }
        return (trimmed(part[..<sign]), trimmed(part[sign...].dropFirst()))
    }

    private static func trimmed(_ part: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var part = part.drop { $0 == 0x20 || $0 == 0x09 }
        while part.last == 0x20 || part.last == 0x09 { part = part.dropLast() }
        return part
    }
}
