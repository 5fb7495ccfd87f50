// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A complete URL cut into its parts, with the scheme, host and port checked and the rest untouched.
struct URLParts {
    let scheme: String
    let authority: String
    let host: String
    let port: Int
    let path: Substring.UTF8View
    let query: Substring.UTF8View?

    init(_ string: String, schemes: Set<String>) throws(InvalidRequest) {
        let bytes = string.utf8[...]
        if let byte = bytes.first(where: { $0 < 0x20 || $0 == 0x7F }) {
            throw .url("the URL holds \(Self.name(of: byte))")
        }
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), let first = bytes.first,
            ByteSet.letters.contains(first), bytes[..<colon].allSatisfy(ByteSet.scheme.contains),
            bytes[colon...].starts(with: "://".utf8)
        else {
            throw .url("the URL is not complete: it begins with no scheme and “://”, as https://api.example.com does")
        }
        scheme = String(Substring(bytes[..<colon])).lowercased()
        guard schemes.contains(scheme) else {
            let known = schemes.sorted().joined(separator: ", ")
            throw .url("the URL's scheme is not one of those that fit here: \(known)")
        }
        var rest = bytes[colon...].dropFirst(3)
        if let fragment = rest.firstIndex(of: UInt8(ascii: "#")) { rest = rest[..<fragment] }
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
        (host, port, authority) = try Self.place(rest[..<end], scheme: scheme)
        rest = rest[end...]
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            path = rest[..<mark]
            query = rest[mark...].dropFirst()
        } else {
            path = rest
            query = nil
        }
    }

    private static func place(
        _ authority: Substring.UTF8View, scheme: String
    ) throws(InvalidRequest) -> (host: String, port: Int, authority: String) {
        guard !authority.contains(UInt8(ascii: "@")) else {
            throw .url("the URL carries a user name or a password: send credentials in an Authorization header instead")
        }
        let isBracketed = authority.first == UInt8(ascii: "[")
        let hostEnd: Substring.UTF8View.Index
        if isBracketed, let bracket = authority.firstIndex(of: UInt8(ascii: "]")) {
            hostEnd = authority.index(after: bracket)
        } else {
            hostEnd = authority.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
        }
        guard hostEnd > authority.startIndex else { throw .url("the URL names no host") }
        if let objection = HostRules.objection(to: authority[..<hostEnd]) {
            throw .url("the URL's host \(objection)")
        }
        let host = String(Substring(authority[..<hostEnd])).lowercased()
        let own = scheme == "https" || scheme == "wss" ? 443 : 80
        let port = try port(authority[hostEnd...]) ?? own
        return (isBracketed ? String(host.dropFirst().dropLast()) : host, port, port == own ? host : "\(host):\(port)")
    }

    /// The number after the colon; `nil` where nothing stands there, which RFC 3986 allows.
    private static func port(_ text: Substring.UTF8View) throws(InvalidRequest) -> Int? {
        guard let colon = text.first else { return nil }
        let digits = text.dropFirst()
        guard colon == UInt8(ascii: ":"), digits.allSatisfy(ByteSet.digits.contains) else {
            throw .url("the URL's port is not a number")
        }
        guard !digits.isEmpty else { return nil }
        guard let port = Int(String(Substring(digits))), (1...65535).contains(port) else {
            throw .url("the URL's port is not between 1 and 65535")
        }
        return port
    }

    /// A byte in words, for a message.
    static func name(of byte: UInt8) -> String {
        switch byte {
        case 0..<0x20, 0x7F: "a control character"
        case 0x20: "a space"
        case UInt8(ascii: "%"): "a “%” without two hexadecimal digits after it"
        case 0x80...: "a character outside ASCII"
        default: "“\(Character(UnicodeScalar(byte)))”, which may not stand there"
        }
    }
}
