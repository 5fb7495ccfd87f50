// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghSupport

extension CookieJar {
    /// Stores the cookie of a `Set-Cookie` field, if the rules allow it.
    ///
    /// - Parameters:
    ///   - field: The value of the field.
    ///   - url: The URL whose response had the field.
    ///   - now: The current time.
    /// - Returns: True if the field was accepted. An expired cookie is accepted, too: it removes the cookie that it
    ///   replaces.
    /// - Throws: ``InvalidRequestError`` if the URL is not an HTTP URL.
    @discardableResult
    public mutating func receive(
        _ field: String, from url: String, at now: Date = Date()
    ) throws -> Bool {
        receive(field.utf8, from: try CookieOrigin(url), at: now)
    }

    /// Returns the value of the `Cookie` field for a URL.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - now: The current time.
    /// - Returns: The value, with replacement characters for bytes that are not UTF-8; `nil` if no cookie matches.
    /// - Throws: ``InvalidRequestError`` if the URL is not an HTTP URL.
    public mutating func header(for url: String, at now: Date = Date()) throws -> String? {
        header(for: try CookieOrigin(url), at: now).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Stores the cookie of a `Set-Cookie` field, if the rules allow it (RFC 6265bis, section 5.7).
    package mutating func receive(_ field: some Collection<UInt8>, from origin: CookieOrigin, at now: Date) -> Bool {
        guard let field = SetCookieField(field), let (domain, isHostOnly) = Self.domain(of: field, from: origin) else {
            return false
        }
        let path = field.path.flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil } ?? origin.defaultPath
        let cookie = StoredCookie(
            name: field.name, value: field.value, domain: domain, isHostOnly: isHostOnly, path: path,
            expires: Self.end(of: field, at: now), created: now, isSecure: field.isSecure,
            isHTTPOnly: field.isHTTPOnly, sameSite: field.sameSite
        ).with(field.rawPair)
        guard field.isSecure ? origin.isTrustworthy : origin.isTrustworthy || !hasSecure(hiddenBy: cookie),
            field.sameSite != .unrestricted || field.isSecure,
            Self.satisfiesNamePrefix(cookie, hasRootPath: field.path == "/")
        else { return false }
        if cookie.isExpired(at: now) {
            remove(where: cookie.replaces)
            return true
        }
        return insert(cookie)
    }

    /// Returns the value of the `Cookie` field for a request.
    ///
    /// - Parameters:
    ///   - origin: The destination of the request.
    ///   - isSafe: True if the request's method is safe.
    ///   - isCrossSite: True if another site caused the request.
    ///   - names: The names of cookies that the request sets itself.
    ///   - now: The current time.
    /// - Returns: The value; `nil` if no cookie matches.
    package mutating func header(
        for origin: CookieOrigin, isSafe: Bool = true, isCrossSite: Bool = false, without names: Set<[UInt8]> = [],
        at now: Date
    ) -> [UInt8]? {
        let cookies = take(for: origin, at: now) { cookie in
            if !names.isEmpty, names.contains(cookie.nameBytes) { return false }
            return switch cookie.sameSite {
            case .strict: !isCrossSite
            case .lax, nil: !isCrossSite || isSafe
            case .unrestricted: true
            }
        }
        return cookies.isEmpty ? nil : Array(cookies.map(\.pair).joined(separator: "; ".utf8))
    }

    /// Returns the domain of a cookie; `nil` if the origin may not set cookies for it.
    private static func domain(of field: SetCookieField, from origin: CookieOrigin) -> (String, isHostOnly: Bool)? {
        guard let named = field.domain, !named.isEmpty else { return (origin.host, true) }
        // Hosts of requests are in punycode (RFC 6265bis, section 5.1.2).
        guard !named.hasSuffix("."), let domain = named.isASCII ? named : HostSyntax.normalized(named) else {
            return nil
        }
        // A host that is itself a public suffix may have cookies, but not share them with other hosts.
        if CookieOrigin.isAddress(domain) || PublicSuffixes.contains(domain) {
            return domain == origin.host ? (origin.host, true) : nil
        }
        return CookieOrigin.isHost(origin.host, in: domain) ? (domain, false) : nil
    }

    private static func end(of field: SetCookieField, at now: Date) -> Date? {
        let latest = now.addingTimeInterval(maximumAge)
        if let maxAge = field.maxAge {
            return maxAge <= 0 ? Date.distantPast : min(now.addingTimeInterval(Double(maxAge)), latest)
        }
        return field.expires.map { min($0, latest) }
    }

    /// Returns true if a cookie fulfills the requirements of its name prefix (`__Secure-`, `__Host-`).
    private static func satisfiesNamePrefix(_ cookie: StoredCookie, hasRootPath: Bool) -> Bool {
        let name = cookie.name.lowercased()
        if name.isEmpty {
            // The Cookie field would show the value as a cookie with that name.
            let value = cookie.value.lowercased()
            return !value.hasPrefix("__secure-") && !value.hasPrefix("__host-")
        }
        if name.hasPrefix("__host-") { return cookie.isSecure && cookie.isHostOnly && hasRootPath }
        return !name.hasPrefix("__secure-") || cookie.isSecure
    }
}
