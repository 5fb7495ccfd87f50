// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A URL, absolute or relative, split into its components (RFC 3986, sections 4 and 5.2).
///
/// Any text is accepted; the caller decides which components are valid. The components share the memory of the text.
package struct URLReference: Sendable, Hashable, CustomStringConvertible {
    package private(set) var scheme: Substring?
    package private(set) var authority: Substring?
    package private(set) var path: Substring
    package private(set) var query: Substring?
    package var fragment: Substring?

    /// Splits a text into components, as the regular expression of RFC 3986, appendix B, does.
    package init(_ text: String) {
        let offsets = PercentEncoding.withBytes(of: text.utf8[...]) { Offsets($0) }
        func part(_ offsets: Range<Int>) -> Substring { Substring(text.utf8[...].slice(offsets)) }
        scheme = offsets.scheme.map(part)
        authority = offsets.authority.map(part)
        path = part(offsets.path)
        query = offsets.query.map(part)
        fragment = offsets.fragment.map(part)
    }

    /// Splits an authority without user information (RFC 3986, section 3.2).
    ///
    /// - Parameter authority: The authority.
    /// - Returns: The host, including the brackets of an IPv6 address, and the text after the colon; `nil` without a
    ///   colon. If other text follows the host, the whole authority is returned as the host, which `HostSyntax`
    ///   rejects.
    package static func hostAndPort(of authority: Substring) -> (host: Substring, port: Substring?) {
        let count = PercentEncoding.withBytes(of: authority.utf8) { Offsets.hostEnd(in: $0) }
        let end = authority.utf8.index(authority.startIndex, offsetBy: count)
        guard let port = authority[end...].behind(first: ":"), !port.utf8.contains(UInt8(ascii: ":")) else {
            return (authority, nil)
        }
        return (authority[..<end], port)
    }

    /// Removes valid user information from the authority (RFC 3986, section 3.2.1).
    ///
    /// Anything else before an `@` is kept, and makes the URL invalid: with a backslash in it, parsers disagree about
    /// the host.
    ///
    /// - Returns: True if there was a user name or password, and not only an `@`.
    package mutating func removeUserInfo() -> Bool {
        guard let (user, host) = authority?.halves(at: "@"),
            PercentEncoding.firstIllegal(in: user.utf8, keeping: .userInfo) == nil
        else { return false }
        authority = host
        return user.utf8.contains { $0 != UInt8(ascii: ":") }
    }

    /// Resolves this reference against a base URL (RFC 3986, section 5.2.2).
    ///
    /// - Parameter base: The base URL; its fragment is ignored.
    /// - Returns: The absolute URL.
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

    /// The path up to and including its last slash.
    private var folder: Substring {
        if authority != nil, path.isEmpty { return "/" }
        return path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? ""
    }

    private static func withoutDots(_ path: Substring) -> Substring {
        path.utf8.first == UInt8(ascii: "/") ? DotSegments.removed(from: path.utf8)[...] : path
    }

    /// The components recombined (RFC 3986, section 5.3).
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
