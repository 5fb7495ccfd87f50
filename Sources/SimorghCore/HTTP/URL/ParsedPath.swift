// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A path that a caller wrote, validated and split from its query in one pass.
struct ParsedPath {
    /// The text as written.
    let whole: String
    /// The path, without leading slashes.
    let path: Substring.UTF8View
    /// The text after the `?`; empty if there is no query.
    let query: Substring.UTF8View
    /// True if the path has a leading slash.
    let hasSlash: Bool
    /// True if the text is only one slash and the path.
    ///
    /// If no byte needs escaping, it can be used as the target without a copy.
    let isTarget: Bool
    /// True if the path needs neither escaping nor further checks.
    let isPlain: Bool

    init(_ text: String, isEncoded: Bool) throws(InvalidRequestError) {
        let bytes = text.utf8[...]
        if Self.isPlain(bytes) {
            whole = text
            hasSlash = bytes.first == UInt8(ascii: "/")
            path = hasSlash ? bytes.dropFirst() : bytes
            query = bytes[bytes.endIndex...]
            (isTarget, isPlain) = (hasSlash, true)
            return
        }
        isPlain = false
        var path = bytes
        var query = bytes[bytes.endIndex...]
        if isEncoded, let fragment = path.firstIndex(of: UInt8(ascii: "#")) { path = path[..<fragment] }
        if let mark = path.firstIndex(of: UInt8(ascii: "?")) {
            query = path[mark...].dropFirst()
            path = path[..<mark]
        }
        guard !Self.isCompleteURL(path) else {
            throw .url(
                "the path is a complete URL: give the client that base URL, or use a client without one for this call")
        }
        guard !Self.namesAuthority(path) else {
            throw .url(
                "the path begins with “//”, so its first segment would be a host in a URL: remove one of the slashes")
        }
        if isEncoded {
            if let byte = PercentEncoding.firstIllegal(in: path, keeping: .path) {
                throw .url("the path is declared as percent-encoded but contains \(URLParts.name(of: byte))")
            }
            if let byte = PercentEncoding.firstIllegal(in: query, keeping: .query) {
                throw .url("the path is declared as percent-encoded but its query contains \(URLParts.name(of: byte))")
            }
        }
        try Self.rejectDotSegments(in: path)
        whole = text
        self.path = path.drop { $0 == UInt8(ascii: "/") }
        self.query = query
        hasSlash = path.first == UInt8(ascii: "/")
        isTarget = hasSlash && bytes.count == self.path.count + 1
    }

    /// Returns true for at most one slash, then path characters, with no segment that begins with a dot.
    ///
    /// Examines each byte once, which is sufficient for nearly all paths. Returns false for a text that begins like a
    /// URL.
    private static func isPlain(_ path: Substring.UTF8View) -> Bool {
        let set = ByteSet.path
        return PercentEncoding.withBytes(of: path) { bytes in
            guard let first = bytes.first else { return false }
            let hasSlash = first == UInt8(ascii: "/")
            if hasSlash, bytes.count > 1, bytes[1] == UInt8(ascii: "/") { return false }
            var last = hasSlash ? 0 : UInt8(ascii: "/")
            for byte in bytes {
                guard set.contains(byte), byte != UInt8(ascii: ".") || last != UInt8(ascii: "/") else { return false }
                if byte == UInt8(ascii: ":"), !hasSlash { return false }
                last = byte
            }
            return true
        }
    }

    static func rejectDotSegments(in path: Substring.UTF8View) throws(InvalidRequestError) {
        guard !DotSegments.areIn(path) else {
            throw .url("the path has a “.” or “..” segment, plain or escaped; it would lead out of the base URL")
        }
    }

    /// Returns true for `//host`, a reference to another host (RFC 3986, section 4.2).
    ///
    /// Further slashes, which browsers skip, are included.
    private static func namesAuthority(_ path: Substring.UTF8View) -> Bool {
        let slash = UInt8(ascii: "/")
        return path.starts(with: [slash, slash]) && path.contains { $0 != slash }
    }

    private static func isCompleteURL(_ path: Substring.UTF8View) -> Bool {
        guard let first = path.first, ByteSet.letters.contains(first),
            let end = path.firstIndex(where: { !ByteSet.scheme.contains($0) })
        else { return false }
        return path[end...].starts(with: "://".utf8)
    }
}
