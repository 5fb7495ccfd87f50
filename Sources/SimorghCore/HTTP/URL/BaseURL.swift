// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Where a client's requests go: scheme, host and port, and what every path and query begins with.
///
/// Parsed once, strictly after RFC 3986: nothing is guessed and nothing repaired. A fragment is dropped, since no
/// request carries one. It is a class, because each call takes it, and a copy of its texts would cost more.
package final class BaseURL: Sendable, CustomStringConvertible {
    /// The scheme, in small letters.
    package let scheme: String
    /// The host in small letters, with the port unless it is the scheme's own; an IPv6 address keeps its brackets.
    package let authority: String
    /// The host in small letters; an IPv6 address has no brackets here.
    package let host: String
    /// The port, the scheme's own if none is written.
    package let port: Int
    /// What every path begins with: empty, or percent-encoded with a slash before and none after it.
    package let pathPrefix: String
    /// What every query begins with, percent-encoded; `nil` for none.
    package let query: String?
    /// Whether a slash was written after the prefix; it comes back when no path follows.
    let endsInSlash: Bool

    /// The schemes of plain requests; those of Unix sockets have the socket's path, percent-encoded, for a host.
    package static let httpSchemes: Set<String> = ["http", "https", "http+unix", "https+unix"]
    /// The schemes of WebSockets.
    package static let webSocketSchemes: Set<String> = ["ws", "wss"]

    /// Parses a base URL.
    ///
    /// - Parameters:
    ///   - string: The URL.
    ///   - schemes: The schemes that are accepted, in small letters.
    /// - Throws: ``InvalidRequest``, which says what is wrong and never repeats the URL: it may hold a credential.
    package convenience init(_ string: String, schemes: Set<String> = httpSchemes) throws(InvalidRequest) {
        let parts = try URLParts(string, schemes: schemes)
        if let byte = PercentEncoding.firstIllegal(in: parts.path, keeping: .path) {
            throw .url("the path of the base URL holds \(URLParts.name(of: byte)); percent-encode it")
        }
        guard !DotSegments.areIn(parts.path) else {
            throw .url("the path of the base URL has a “.” or “..” segment; leave it out")
        }
        if let query = parts.query, let byte = PercentEncoding.firstIllegal(in: query, keeping: .query) {
            throw .url("the query of the base URL holds \(URLParts.name(of: byte)); percent-encode it")
        }
        var prefix = parts.path
        while prefix.last == UInt8(ascii: "/") { prefix = prefix.dropLast() }
        self.init(
            parts,
            pathPrefix: String(Substring(prefix)),
            query: parts.query.flatMap { $0.isEmpty ? nil : String(Substring($0)) },
            endsInSlash: !prefix.isEmpty && prefix.count < parts.path.count
        )
    }

    init(_ parts: URLParts, pathPrefix: String, query: String?, endsInSlash: Bool) {
        scheme = parts.scheme
        authority = parts.authority
        host = parts.host
        port = parts.port
        self.pathPrefix = pathPrefix
        self.query = query
        self.endsInSlash = endsInSlash
    }

    /// Whether TLS is spoken.
    package var isSecure: Bool { UnixSocketURL.isSecure(scheme) }

    /// Whether the host is the path of a Unix socket.
    package var isUnixSocket: Bool { UnixSocketURL.isUnixSocket(scheme) }

    /// Scheme, authority and path; the query is left out, as it may hold a key.
    package var description: String { "\(scheme)://\(authority)\(pathPrefix)\(endsInSlash ? "/" : "")" }
}

extension InvalidRequest {
    /// A refusal because of the URL.
    package static func url(_ message: String) -> InvalidRequest { InvalidRequest(.invalidURL, message) }
}
