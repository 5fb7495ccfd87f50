// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Where a cookie comes from or goes to: what of a URL matters to cookies.
package struct CookieOrigin: Sendable, Hashable {
    /// The host in small letters, without the dot of the root at its end; an IPv6 address without its brackets.
    package let host: String
    /// The path, without a query.
    package let path: String
    /// Whether the connection is encrypted.
    package let isSecure: Bool
    /// True if a proxy or an address of the route takes the request away from the loopback interface.
    private var isRerouted = false

    /// True if `Secure` cookies may come from here and go here: over TLS, and over plain HTTP to this machine itself.
    ///
    /// Browsers and curl hold the loopback interface for trustworthy (Secure Contexts, section 3.1). Names below
    /// `localhost` are not trusted: a resolver may ask DNS for them, and the answer may be any machine.
    package var isTrustworthy: Bool { isSecure || Self.isLoopback(host) && !isRerouted }

    /// What of a URL matters.
    ///
    /// - Parameter url: The URL.
    /// - Throws: ``InvalidRequest`` where it is not one of HTTP.
    package init(_ url: String) throws(InvalidRequest) { self.init(try BaseURL.absolute(url, schemes: Self.schemes)) }

    private static let schemes = BaseURL.httpSchemes.union(BaseURL.webSocketSchemes)

    private init(_ url: (base: BaseURL, target: String)) {
        let (base, target) = url
        // With that dot a name would be none of the public suffixes.
        let name = base.host.hasSuffix(".") ? String(base.host.dropLast()) : base.host
        // A socket's file may be called like somebody's host: the colon keeps it from being a name, or in a domain.
        host = base.isUnixSocket ? "unix:\(base.host)" : name
        path = String(target.prefix { $0 != "?" })
        isSecure = base.isSecure
    }

    /// The URL of a request, and the way that the request takes there.
    ///
    /// - Parameter request: The request.
    /// - Throws: ``InvalidRequest`` if its URL is not one of HTTP.
    package init(_ request: TransportRequest) throws(InvalidRequest) {
        let url = try BaseURL.absolute(request.urlString, schemes: Self.schemes)
        self.init(url)
        let (base, options) = (url.base, request.options.route)
        guard !isSecure, options != RouteOptions(), Self.isLoopback(host) else { return }
        do throws(InvalidRoute) {
            guard let route = try options.route(to: base.host, port: base.port, isSecure: false) else { return }
            isRerouted = route.proxy != nil || !route.addresses.allSatisfy(Self.isLoopback)
        } catch {
            // The transport refuses such a route before it connects.
            isRerouted = true
        }
    }

    /// The path of a cookie that names none: up to the last slash, without it (RFC 6265bis, section 5.1.4).
    package var defaultPath: String {
        guard path.utf8.first == UInt8(ascii: "/"), let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
            slash > path.startIndex
        else { return "/" }
        return String(path[..<slash])
    }

    /// Whether cookies may tell it apart from another: the scheme, and the name that was registered.
    package var site: String { "\(isSecure ? "https" : "http")://\(PublicSuffixes.registrableName(of: host))" }

    /// The host, and each domain it lies in: whose cookies it may see.
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

    /// Whether a host is the domain or lies in it (RFC 6265bis, section 5.1.3).
    package static func isHost(_ host: String, in domain: String) -> Bool {
        if host == domain { return true }
        return host.utf8.count > domain.utf8.count + 1 && host.utf8.reversed().starts(with: domain.utf8.reversed())
            && host.utf8.dropLast(domain.utf8.count).last == UInt8(ascii: ".") && !isAddress(host)
    }

    /// Whether a path is the cookie's or lies in it (RFC 6265bis, section 5.1.4).
    package static func isPath(_ path: String, in cookiePath: String) -> Bool {
        let (path, cookiePath) = (path.utf8, cookiePath.utf8)
        guard path.starts(with: cookiePath) else { return false }
        return path.count == cookiePath.count || cookiePath.last == UInt8(ascii: "/")
            || path.dropFirst(cookiePath.count).first == UInt8(ascii: "/")
    }

    private static func isLoopback(_ host: String) -> Bool {
        // A name that ends in a number is an IPv4 address of four decimal parts, or no host of a URL.
        host == "localhost" || host == "::1" || host == "0:0:0:0:0:0:0:1"
            || host.hasPrefix("127.") && isAddress(host)
    }

    /// Whether a host is an address and not a name; a name that ends in a number is none that a request can have.
    package static func isAddress(_ host: String) -> Bool {
        let last = host.utf8.split(separator: UInt8(ascii: ".")).last
        return host.utf8.contains(UInt8(ascii: ":")) || last?.allSatisfy(ByteSet.digits.contains) ?? false
    }
}
