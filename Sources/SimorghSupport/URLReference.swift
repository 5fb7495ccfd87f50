// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A URL, complete or relative to another, cut at its delimiters (RFC 3986, sections 4 and 5.2).
///
/// Any text is one; whether its parts are allowed is for others to judge.
package struct URLReference: Sendable, Hashable, CustomStringConvertible {
    package private(set) var scheme: String?
    package private(set) var authority: String?
    package private(set) var path: String
    package private(set) var query: String?
    package private(set) var fragment: String?

    /// Cuts a text at its delimiters, as the expression of RFC 3986, appendix B, does.
    package init(_ text: String) {
        var rest = text.utf8[...]
        if let mark = rest.firstIndex(of: UInt8(ascii: "#")) {
            fragment = String(Substring(rest[mark...].dropFirst()))
            rest = rest[..<mark]
        }
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = String(Substring(rest[mark...].dropFirst()))
            rest = rest[..<mark]
        }
        if let first = rest.first, ByteSet.letters.contains(first),
            let end = rest.firstIndex(where: { !ByteSet.scheme.contains($0) }), rest[end] == UInt8(ascii: ":")
        {
            scheme = String(Substring(rest[..<end]))
            rest = rest[end...].dropFirst()
        }
        if rest.starts(with: "//".utf8) {
            let start = rest.index(rest.startIndex, offsetBy: 2)
            let end = rest[start...].firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = String(Substring(rest[start..<end]))
            rest = rest[end...]
        }
        path = String(Substring(rest))
    }

    /// Removes a well-formed user name and password from the authority (RFC 3986, section 3.2.1).
    ///
    /// Anything else before an `@` stays, and fails the URL: with a backslash in it, readers disagree about the host.
    ///
    /// - Returns: True if there was more than an `@`.
    package mutating func removeUserInfo() -> Bool {
        guard let bytes = authority?.utf8, let at = bytes.firstIndex(of: UInt8(ascii: "@")),
            PercentEncoding.firstIllegal(in: bytes[..<at], keeping: .userInfo) == nil
        else { return false }
        let isNamed = bytes[..<at].contains { $0 != UInt8(ascii: ":") }
        authority = String(Substring(bytes[at...].dropFirst()))
        return isNamed
    }

    /// What this reference means on a page with another URL (RFC 3986, section 5.2.2).
    ///
    /// - Parameter base: The URL of the page; its fragment means nothing here.
    /// - Returns: The complete URL.
    package func resolved(against base: URLReference) -> URLReference {
        var result = self
        if scheme != nil || authority != nil {
            result.scheme = scheme ?? base.scheme
            result.path = Self.withoutDots(path)
            return result
        }
        (result.scheme, result.authority) = (base.scheme, base.authority)
        if path.isEmpty {
            result.path = base.path
            result.query = query ?? base.query
        } else if path.utf8.first == UInt8(ascii: "/") {
            result.path = Self.withoutDots(path)
        } else {
            result.path = Self.withoutDots(base.folder + path)
        }
        return result
    }

    /// The path up to its last slash, which stays.
    private var folder: String {
        if authority != nil, path.isEmpty { return "/" }
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return String(path[...slash])
    }

    private static func withoutDots(_ path: String) -> String {
        path.utf8.first == UInt8(ascii: "/") ? DotSegments.removed(from: path.utf8[...]) : path
    }

    /// The parts together again (RFC 3986, section 5.3).
    package var description: String {
        var text = ""
        if let scheme { text += scheme + ":" }
        if let authority { text += "//" + authority }
        text += path
        if let query { text += "?" + query }
        if let fragment { text += "#" + fragment }
        return text
    }
}
