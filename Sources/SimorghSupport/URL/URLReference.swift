// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A URL, complete or relative to another, cut once at its delimiters (RFC 3986, sections 4 and 5.2).
///
/// Any text is one; its users decide which parts they allow. The parts share the memory of the text.
package struct URLReference: Sendable, Hashable, CustomStringConvertible {
    package private(set) var scheme: Substring?
    package private(set) var authority: Substring?
    package private(set) var path: Substring
    package private(set) var query: Substring?
    package var fragment: Substring?

    /// Cuts a text at its delimiters, as the expression of RFC 3986, appendix B, does.
    package init(_ text: String) {
        let offsets = PercentEncoding.withBytes(of: text.utf8[...]) { Offsets($0) }
        func part(_ offsets: Range<Int>) -> Substring { Substring(text.utf8[...].slice(offsets)) }
        scheme = offsets.scheme.map(part)
        authority = offsets.authority.map(part)
        path = part(offsets.path)
        query = offsets.query.map(part)
        fragment = offsets.fragment.map(part)
    }

    /// Cuts an authority without a user name (RFC 3986, section 3.2).
    ///
    /// - Parameter authority: The authority.
    /// - Returns: The host, an IPv6 address in its brackets, and the text after its colon, if there is one. An authority
    ///   with something else behind its host is all host, which `HostRules` refuse.
    package static func hostAndPort(of authority: Substring) -> (host: Substring, port: Substring?) {
        let count = PercentEncoding.withBytes(of: authority.utf8) { Offsets.hostEnd(in: $0) }
        let end = authority.utf8.index(authority.startIndex, offsetBy: count)
        guard let port = authority[end...].behind(first: ":"), !port.utf8.contains(UInt8(ascii: ":")) else {
            return (authority, nil)
        }
        return (authority[..<end], port)
    }

    /// Removes a well-formed user name and password from the authority (RFC 3986, section 3.2.1).
    ///
    /// Anything else before an `@` stays, and fails the URL: with a backslash in it, readers disagree about the host.
    ///
    /// - Returns: True if there was more than an `@`.
    package mutating func removeUserInfo() -> Bool {
        guard let (user, host) = authority?.halves(at: "@"),
            PercentEncoding.firstIllegal(in: user.utf8, keeping: .userInfo) == nil
        else { return false }
        authority = host
        return user.utf8.contains { $0 != UInt8(ascii: ":") }
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
    private var folder: Substring {
        if authority != nil, path.isEmpty { return "/" }
        return path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? ""
    }

    private static func withoutDots(_ path: Substring) -> Substring {
        path.utf8.first == UInt8(ascii: "/") ? DotSegments.removed(from: path.utf8)[...] : path
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
