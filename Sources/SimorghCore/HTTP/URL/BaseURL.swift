// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The base URL of a client: scheme, host and port, and the beginning of every path and query.
///
/// It is parsed once, strictly by RFC 3986: the parser neither guesses nor repairs. A fragment is dropped, because
/// requests do not carry one. It is a class because each call retains it, and copying its strings would cost more.
package final class BaseURL: Sendable, CustomStringConvertible {
    /// The scheme, in lowercase.
    package let scheme: String
    /// The host in lowercase, with the port unless it is the scheme's default; an IPv6 address keeps its brackets.
    package let authority: String
    /// The host in lowercase, without the brackets of an IPv6 address.
    package let host: String
    /// The port; the scheme's default if the URL has no port.
    package let port: Int
    /// The beginning of every path: empty, or percent-encoded with a leading slash and without a trailing one.
    package let pathPrefix: String
    /// The beginning of every query, percent-encoded; `nil` if the base URL has no query.
    package let query: String?
    /// True if the prefix ended in a slash; the slash is restored if no path follows.
    let endsInSlash: Bool

    /// The schemes of HTTP requests; with those for Unix sockets the host is the socket's percent-encoded path.
    package static let httpSchemes: Set<String> = ["http", "https", "http+unix", "https+unix"]
    /// The schemes of WebSockets.
    package static let webSocketSchemes: Set<String> = ["ws", "wss"]

    /// Parses a base URL.
    ///
    /// - Parameters:
    ///   - string: The URL.
    ///   - schemes: The accepted schemes, in lowercase.
    /// - Throws: ``InvalidRequestError``, which describes the fault but never repeats the URL: it may contain a
    ///   credential.
    package convenience init(_ string: String, schemes: Set<String> = httpSchemes) throws(InvalidRequestError) {
        let parts = try URLParts(string, schemes: schemes)
        if let byte = PercentEncoding.firstIllegal(in: parts.path, keeping: .path) {
            throw .url("the path of the base URL contains \(URLParts.name(of: byte)); percent-encode it")
        }
        guard !DotSegments.areIn(parts.path) else {
            throw .url("the path of the base URL has a “.” or “..” segment; leave it out")
        }
        if let query = parts.query, let byte = PercentEncoding.firstIllegal(in: query, keeping: .query) {
            throw .url("the query of the base URL contains \(URLParts.name(of: byte)); percent-encode it")
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

    /// True if requests use TLS.
    package var isSecure: Bool { UnixSocketURL.isSecure(scheme) }

    /// True if the host is the path of a Unix socket.
    package var isUnixSocket: Bool { UnixSocketURL.isUnixSocket(scheme) }

    /// Scheme, authority and path; the query is left out, because it may contain a key.
    package var description: String { "\(scheme)://\(authority)\(pathPrefix)\(endsInSlash ? "/" : "")" }
}

extension InvalidRequestError {
    /// Returns an error for an invalid URL.
    package static func url(_ message: String) -> InvalidRequestError {
        InvalidRequestError(.invalidURL, message: message)
    }
}
