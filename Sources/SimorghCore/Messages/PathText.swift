// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A path as a caller wrote it, looked through once: where it ends, what query it brings, and that it leads nowhere
/// else.
struct PathText {
    /// What was written.
    let whole: String
    /// The path, without the slashes before it.
    let path: Substring.UTF8View
    /// What follows the `?`; empty for nothing.
    let query: Substring.UTF8View
    /// Whether a slash stands before the path.
    let hasSlash: Bool
    /// Whether the text is one slash and the path and no more: it can be a target without a copy, if none is escaped.
    let isTarget: Bool

    init(_ text: String, isEncoded: Bool) throws(InvalidRequest) {
        let bytes = text.utf8[...]
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
        if isEncoded {
            if let byte = PercentEncoding.firstIllegal(in: path, keeping: .path) {
                throw .url("the path is declared as percent-encoded but holds \(URLParts.name(of: byte))")
            }
            if let byte = PercentEncoding.firstIllegal(in: query, keeping: .query) {
                throw .url("the path is declared as percent-encoded but its query holds \(URLParts.name(of: byte))")
            }
        }
        try Self.refuseDotSegments(in: path)
        whole = text
        self.path = path.drop { $0 == UInt8(ascii: "/") }
        self.query = query
        hasSlash = path.first == UInt8(ascii: "/")
        isTarget = hasSlash && bytes.count == self.path.count + 1
    }

    static func refuseDotSegments(in path: Substring.UTF8View) throws(InvalidRequest) {
        guard !DotSegments.areIn(path) else {
            throw .url("the path has a “.” or “..” segment, plain or escaped; it would lead out of the base URL")
        }
    }

    private static func isCompleteURL(_ path: Substring.UTF8View) -> Bool {
        guard let first = path.first, ByteSet.letters.contains(first),
            let end = path.firstIndex(where: { !ByteSet.scheme.contains($0) })
        else { return false }
        return path[end...].starts(with: "://".utf8)
    }
}
