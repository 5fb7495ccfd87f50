// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A complete URL cut into its parts, with the scheme, host and port checked and the rest untouched.
struct URLParts {
    let scheme: String
    let authority: String
    let host: String
    let port: Int
    let path: Substring.UTF8View
    let query: Substring.UTF8View?
    /// Both, with the question mark between them.
    let pathAndQuery: Substring.UTF8View

    private typealias Bytes = UnsafeBufferPointer<UInt8>

    /// What a look at the bytes gives; places are offsets.
    private struct Scan {
        var scheme: String
        var host: String
        var port: Int
        var isBracketed: Bool
        var path: Range<Int>
        var query: Range<Int>?

        /// The port that the scheme has if none is written.
        var ownPort: Int { UnixSocketURL.isSecure(scheme) ? 443 : 80 }
    }

    init(_ string: String, schemes: Set<String>) throws(InvalidRequest) {
        let text = string.utf8[...]
        let scan = try PercentEncoding.withBytes(of: text) { bytes in
            Result { () throws(InvalidRequest) in try Self.scan(bytes, schemes: schemes) }
        }.get()
        scheme = scan.scheme
        host = scan.isBracketed ? String(scan.host.dropFirst().dropLast()) : scan.host
        port = scan.port
        authority = scan.port == scan.ownPort ? scan.host : "\(scan.host):\(scan.port)"
        path = text.slice(scan.path)
        query = scan.query.map(text.slice)
        pathAndQuery = text.slice(scan.path.lowerBound..<(scan.query ?? scan.path).upperBound)
    }

    private static func scan(_ bytes: Bytes, schemes: Set<String>) throws(InvalidRequest) -> Scan {
        for byte in bytes where byte < 0x20 || byte == 0x7F { throw .url("the URL holds \(name(of: byte))") }
        let schemeEnd = end(of: .scheme, in: bytes)
        guard let first = bytes.first, ByteSet.letters.contains(first), schemeEnd + 2 < bytes.count,
            bytes[schemeEnd] == UInt8(ascii: ":"), bytes[schemeEnd + 1] == UInt8(ascii: "/"),
            bytes[schemeEnd + 2] == UInt8(ascii: "/")
        else {
            throw .url("the URL is not complete: it begins with no scheme and “://”, as https://api.example.com does")
        }
        let scheme = lowercased(bytes, 0..<schemeEnd)
        guard schemes.contains(scheme) else {
            throw .url(
                "the URL's scheme is not one of those that fit here: \(schemes.sorted().joined(separator: ", "))")
        }
        let start = schemeEnd + 3
        let end = place(of: UInt8(ascii: "#"), in: bytes, from: start, to: bytes.count)
        let mark = place(of: UInt8(ascii: "?"), in: bytes, from: start, to: end)
        let pathStart = place(of: UInt8(ascii: "/"), in: bytes, from: start, to: mark)
        var scan = Scan(
            scheme: scheme, host: "", port: 0, isBracketed: bytes[start...].first == UInt8(ascii: "["),
            path: pathStart..<mark, query: mark < end ? mark + 1..<end : nil)
        guard place(of: UInt8(ascii: "@"), in: bytes, from: start, to: pathStart) == pathStart else {
            throw .url("the URL carries a user name or a password: send credentials in an Authorization header instead")
        }
        if UnixSocketURL.isUnixSocket(scheme) {
            guard let path = UnixSocketURL.path(of: String(decoding: bytes[start..<pathStart], as: UTF8.self)) else {
                throw .url("the URL's host is no path of a Unix socket, percent-encoded, as %2Frun%2Fbird.sock is")
            }
            (scan.host, scan.port) = (UnixSocketURL.host(of: path), scan.ownPort)
            return scan
        }
        // The colons of an IPv6 address come before its bracket.
        let bracket = scan.isBracketed ? place(of: UInt8(ascii: "]"), in: bytes, from: start, to: pathStart) : pathStart
        let hostEnd =
            bracket < pathStart ? bracket + 1 : place(of: UInt8(ascii: ":"), in: bytes, from: start, to: pathStart)
        guard start < hostEnd else { throw .url("the URL names no host") }
        switch HostRules.name(Bytes(rebasing: bytes[start..<hostEnd])) {
        case .success(let host): scan.host = host
        case .failure(let objection): throw .url("the URL's host \(objection.text)")
        }
        scan.port = try port(bytes[hostEnd..<pathStart]) ?? scan.ownPort
        return scan
    }

    /// The number after the colon; `nil` where nothing stands there, which RFC 3986 allows.
    private static func port(_ text: Slice<Bytes>) throws(InvalidRequest) -> Int? {
        guard let colon = text.first else { return nil }
        let digits = text.dropFirst()
        guard colon == UInt8(ascii: ":"), digits.allSatisfy(ByteSet.digits.contains) else {
            throw .url("the URL's port is not a number")
        }
        guard !digits.isEmpty else { return nil }
        // Zeros before the number are no part of it, and past five digits it is too large anyway.
        let port = digits.drop { $0 == UInt8(ascii: "0") }.prefix(6).reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        guard (1...65535).contains(port) else { throw .url("the URL's port is not between 1 and 65535") }
        return port
    }

    /// The place of a byte, or the end where it is not.
    @inline(__always)
    private static func place(of wanted: UInt8, in bytes: Bytes, from start: Int, to end: Int) -> Int {
        var index = start
        while index < end, bytes[index] != wanted { index += 1 }
        return index
    }

    private static func end(of set: ByteSet, in bytes: Bytes) -> Int {
        var index = 0
        while index < bytes.count, set.contains(bytes[index]) { index += 1 }
        return index
    }

    private static func lowercased(_ bytes: Bytes, _ range: Range<Int>) -> String {
        let part = Bytes(rebasing: bytes[range])
        let text = String(decoding: part, as: UTF8.self)
        return part.contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } ? text.lowercased() : text
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

extension Substring.UTF8View {
    /// The part between two offsets.
    fileprivate func slice(_ offsets: Range<Int>) -> Substring.UTF8View {
        self[index(startIndex, offsetBy: offsets.lowerBound)..<index(startIndex, offsetBy: offsets.upperBound)]
    }
}
