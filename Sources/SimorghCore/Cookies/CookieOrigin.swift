// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The origin or destination of a cookie: the parts of a URL that cookies depend on.
package struct CookieOrigin: Sendable, Hashable {
    /// The host in lowercase, without the trailing dot of the root, and without the brackets of an IPv6 address.
    package let host: String
    /// The path, without a query.
    package let path: String
    /// True if the connection is encrypted.
    package let isSecure: Bool
    /// True if a proxy or an address of the route leads the request away from the loopback interface.
    private var isRerouted = false

    /// True if `Secure` cookies may be set and sent: over TLS, and over plain HTTP to this machine itself.
    ///
    /// Browsers and curl consider the loopback interface trustworthy (Secure Contexts, section 3.1). Names below
    /// `localhost` are not trusted: a resolver may look them up in DNS, and the answer may be any machine.
    package var isTrustworthy: Bool { isSecure || Self.isLoopback(host) && !isRerouted }

    /// Creates the origin of a URL.
    ///
    /// - Parameter url: The URL.
    /// - Throws: ``InvalidRequestError`` if it is not an HTTP URL.
    package init(_ url: String) throws(InvalidRequestError) {
        self.init(try BaseURL.absolute(url, schemes: Self.schemes))
    }

    private static let schemes = BaseURL.httpSchemes.union(BaseURL.webSocketSchemes)

    private init(_ url: (base: BaseURL, target: String)) {
        let (base, target) = url
        // With the trailing dot a name would match no public suffix.
        let name = base.host.hasSuffix(".") ? String(base.host.dropLast()) : base.host
        // A socket's file may have the name of another host: the colon keeps it from being a name, or in a domain.
        host = base.isUnixSocket ? "unix:\(base.host)" : name
        path = String(target.prefix { $0 != "?" })
        isSecure = base.isSecure
    }

    /// Creates the origin of a request's URL, considering the route that the request takes.
    ///
    /// - Parameter request: The request.
    /// - Throws: ``InvalidRequestError`` if its URL is not an HTTP URL.
    package init(_ request: TransportRequest) throws(InvalidRequestError) {
        let url = try BaseURL.absolute(request.urlString, schemes: Self.schemes)
        self.init(url)
        let (base, options) = (url.base, request.options.route)
        guard !isSecure, options != RouteOptions(), Self.isLoopback(host) else { return }
        do throws(InvalidRouteError) {
            guard let route = try options.route(to: base.host, port: base.port, isSecure: false) else { return }
            isRerouted = route.proxy != nil || !route.addresses.allSatisfy(Self.isLoopback)
        } catch {
            // The transport rejects such a route before it connects.
            isRerouted = true
        }
    }

    /// The path for a cookie without a `Path` attribute: up to the last slash (RFC 6265bis, section 5.1.4).
    package var defaultPath: String {
        guard path.utf8.first == UInt8(ascii: "/"), let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
            slash > path.startIndex
        else { return "/" }
        return String(path[..<slash])
    }

    /// The site, which `SameSite` compares: the scheme and the registrable domain.
    package var site: String { "\(isSecure ? "https" : "http")://\(PublicSuffixes.registrableName(of: host))" }

    /// The host and each domain that contains it, whose cookies it may receive.
    package var domains: [String] {
        guard !Self.isAddress(host) else { return [host] }
        var domains = [host]
        var rest = Substring(host)
        while let dot = rest.utf8.firstIndex(of: UInt8(ascii: ".")) {
            rest = rest[dot...].dropFirst()
            if !rest.isEmpty { domains.append(String(rest)) }
        }
        return domains
    }

    /// Returns true if a host is the domain or a subdomain of it (RFC 6265bis, section 5.1.3).
    package static func isHost(_ host: String, in domain: String) -> Bool {
        if host == domain { return true }
        return host.utf8.count > domain.utf8.count + 1 && host.utf8.reversed().starts(with: domain.utf8.reversed())
            && host.utf8.dropLast(domain.utf8.count).last == UInt8(ascii: ".") && !isAddress(host)
    }

    /// Returns true if a path is the cookie's path or below it (RFC 6265bis, section 5.1.4).
    package static func isPath(_ path: String, in cookiePath: String) -> Bool {
        let (path, cookiePath) = (path.utf8, cookiePath.utf8)
        guard path.starts(with: cookiePath) else { return false }
        return path.count == cookiePath.count || cookiePath.last == UInt8(ascii: "/")
            || path.dropFirst(cookiePath.count).first == UInt8(ascii: "/")
    }

    private static func isLoopback(_ host: String) -> Bool {
        // A name that ends in a number is either an IPv4 address of four decimal parts or not a valid host of a URL.
        host == "localhost" || host == "::1" || host == "0:0:0:0:0:0:0:1"
            || host.hasPrefix("127.") && isAddress(host)
    }

    /// Returns true if a host is an address; a name that ends in a number cannot be the host of a request.
    package static func isAddress(_ host: String) -> Bool {
        let last = host.utf8.split(separator: UInt8(ascii: ".")).last
        return host.utf8.contains(UInt8(ascii: ":")) || last?.allSatisfy(ByteSet.digits.contains) ?? false
    }
}
