// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A complete URL split into its parts; scheme, host and port are checked, the rest is unchanged.
struct URLParts {
    let scheme: String
    let authority: String
    let host: String
    let port: Int
    let path: Substring.UTF8View
    let query: Substring.UTF8View?
    /// The path and the query, with the question mark between them.
    let pathAndQuery: Substring.UTF8View

    private typealias Bytes = UnsafeBufferPointer<UInt8>

    /// The parts of the URL that the parser has checked.
    private struct Scan {
        var scheme: String
        var host = ""
        var port: Int?
        var offsets: URLReference.Offsets
    }

    init(_ string: String, schemes: Set<String>) throws(InvalidRequestError) {
        let text = string.utf8[...]
        let scan = try PercentEncoding.withBytes(of: text) { bytes in
            Result { () throws(InvalidRequestError) in try Self.scan(bytes, schemes: schemes) }
        }.get()
        let (name, offsets) = (scan.host, scan.offsets)
        scheme = scan.scheme
        let ownPort = UnixSocketURL.isSecure(scheme) ? 443 : 80
        port = scan.port ?? ownPort
        host = name.utf8.first == UInt8(ascii: "[") ? String(name.dropFirst().dropLast()) : name
        authority = port == ownPort ? name : "\(name):\(port)"
        path = text.slice(offsets.path)
        query = offsets.query.map(text.slice)
        pathAndQuery = text.slice(offsets.path.lowerBound..<(offsets.query ?? offsets.path).upperBound)
    }

    private static func scan(_ bytes: Bytes, schemes: Set<String>) throws(InvalidRequestError) -> Scan {
        for byte in bytes where byte < 0x20 || byte == 0x7F { throw .url("the URL contains \(name(of: byte))") }
        let offsets = URLReference.Offsets(bytes)
        guard let written = offsets.scheme, let authorityRange = offsets.authority else {
            throw .url("the URL is incomplete: it must begin with a scheme and “://”, such as https://api.example.com")
        }
        var scan = Scan(scheme: lowercased(bytes, in: written), offsets: offsets)
        guard schemes.contains(scan.scheme) else {
            throw .url(
                "the URL's scheme is not supported here: use \(schemes.sorted().joined(separator: ", "))")
        }
        let authority = Bytes(rebasing: bytes[authorityRange])
        guard !authority.contains(UInt8(ascii: "@")) else {
            throw .url("the URL carries a user name or a password: send credentials in an Authorization header instead")
        }
        if UnixSocketURL.isUnixSocket(scan.scheme) {
            guard let path = UnixSocketURL.path(of: String(decoding: authority, as: UTF8.self)) else {
                throw .url("the URL's host is not a percent-encoded path of a Unix socket, such as %2Frun%2Fbird.sock")
            }
            scan.host = UnixSocketURL.host(of: path)
            return scan
        }
        let hostEnd = URLReference.Offsets.hostEnd(in: authority)
        guard hostEnd > 0 else { throw .url("the URL has no host") }
        switch HostSyntax.normalized(Bytes(rebasing: authority[..<hostEnd])) {
        case .success(let host): scan.host = host
        case .failure(let objection): throw .url("the URL's host \(objection.text)")
        }
        scan.port = try port(authority[hostEnd...])
        return scan
    }

    /// Returns the number after the colon; `nil` if there is no number, which RFC 3986 allows.
    private static func port(_ text: Slice<Bytes>) throws(InvalidRequestError) -> Int? {
        guard let colon = text.first else { return nil }
        let digits = text.dropFirst()
        guard colon == UInt8(ascii: ":"), digits.allSatisfy(ByteSet.digits.contains) else {
            throw .url("the URL's port is not a number")
        }
        guard !digits.isEmpty else { return nil }
        // Leading zeros are skipped, and a number of more than five digits is too large.
        let port = digits.drop { $0 == UInt8(ascii: "0") }.prefix(6).reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        guard (1...65535).contains(port) else { throw .url("the URL's port is not between 1 and 65535") }
        return port
    }

    private static func lowercased(_ bytes: Bytes, in range: Range<Int>) -> String {
        let part = Bytes(rebasing: bytes[range])
        let text = String(decoding: part, as: UTF8.self)
        return part.contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } ? text.lowercased() : text
    }

    /// Returns a description of a byte, for a message.
    static func name(of byte: UInt8) -> String {
        switch byte {
        case 0..<0x20, 0x7F: "a control character"
        case 0x20: "a space"
        case UInt8(ascii: "%"): "a “%” without two hexadecimal digits after it"
        case 0x80...: "a character outside ASCII"
        default: "“\(Character(UnicodeScalar(byte)))”, which is not allowed there"
        }
    }
}
