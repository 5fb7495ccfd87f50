// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A collection of cookies with the rules for storing and sending them (RFC 6265bis, sections 5.6 to 5.8).
///
/// A jar is a value; a ``CookieStore`` keeps it.
public struct CookieJar: Sendable {
    /// The largest number of cookies per domain.
    ///
    /// Beyond it, cookies that do not require TLS are removed first, and among equals the least recently used.
    public static let maximumPerDomain = 50
    /// The largest total number of cookies.
    public static let maximumCount = 3000
    /// The longest lifetime of a cookie, in seconds: 400 days.
    public static let maximumAge = 400.0 * 24 * 60 * 60

    private var byDomain: [String: [StoredCookie]] = [:]
    /// The number of cookies, including expired ones that were not removed yet.
    public private(set) var count = 0
    /// A number that increases with each change that a store should save; sending a cookie is not such a change.
    public private(set) var revision = 0

    /// Creates a jar.
    ///
    /// - Parameter cookies: The cookies, in the order in which they were set; those that cannot be sent, and those
    ///   beyond the limits, are left out.
    public init(_ cookies: [StoredCookie] = []) {
        for cookie in cookies { insert(cookie) }
        revision = 0
    }

    /// All cookies, by domain and then in the order in which they were set.
    public var cookies: [StoredCookie] { byDomain.keys.sorted().flatMap { byDomain[$0] ?? [] } }

    /// Inserts a cookie; replaces one with the same name, domain and path.
    ///
    /// - Parameter cookie: The cookie. It is inserted unchecked: only ``receive(_:from:at:)`` verifies that a server
    ///   may set it.
    /// - Returns: True if it was inserted; false if its name or value contains a byte that no cookie may contain.
    @discardableResult
    public mutating func insert(_ cookie: StoredCookie) -> Bool {
        guard cookie.isSendable else { return false }
        var cookie = cookie
        var cookies = byDomain[cookie.domain] ?? []
        if let index = cookies.firstIndex(where: cookie.replaces) {
            cookie.created = cookies[index].created
            cookies.remove(at: index)
            count -= 1
        }
        cookies.append(cookie)
        count += 1
        revision += 1
        if cookies.count > Self.maximumPerDomain {
            let remaining = Self.evict(from: cookies, downTo: Self.maximumPerDomain, at: cookie.lastUsed)
            count -= cookies.count - remaining.count
            cookies = remaining
        }
        byDomain[cookie.domain] = cookies
        if count > Self.maximumCount { evictFromAllDomains(at: cookie.lastUsed) }
        return true
    }

    /// Removes cookies.
    ///
    /// - Parameter isUnwanted: Returns true for a cookie to remove.
    public mutating func remove(where isUnwanted: (StoredCookie) -> Bool) {
        let before = count
        count = 0
        for (domain, cookies) in byDomain {
            let remaining = cookies.filter { !isUnwanted($0) }
            byDomain[domain] = remaining.isEmpty ? nil : remaining
            count += remaining.count
        }
        if count != before { revision += 1 }
    }

    /// Removes all cookies.
    public mutating func removeAll() { remove { _ in true } }

    /// Returns the cookies for a request and marks them as used now.
    ///
    /// Longer paths come first, then earlier creation times.
    mutating func take(
        for origin: CookieOrigin, at now: Date, where isWanted: (StoredCookie) -> Bool = { _ in true }
    ) -> [StoredCookie] {
        var found: [StoredCookie] = []
        for domain in origin.domains {
            guard let cookies = byDomain[domain] else { continue }
            for index in cookies.indices {
                let cookie = cookies[index]
                guard !cookie.isExpired(at: now), !cookie.isHostOnly || cookie.domain == origin.host,
                    !cookie.isSecure || origin.isTrustworthy, CookieOrigin.isPath(origin.path, in: cookie.path),
                    isWanted(cookie)
                else { continue }
                byDomain[domain]?[index].lastUsed = now
                found.append(cookie)
            }
        }
        return found.sorted { first, second in
            let (left, right) = (first.path.utf8.count, second.path.utf8.count)
            return left == right ? first.created < second.created : left > right
        }
    }

    /// Returns true if a `Secure` cookie exists that this one would hide (RFC 6265bis, section 5.7, step 16).
    func hasSecure(hiddenBy cookie: StoredCookie) -> Bool {
        byDomain.contains { domain, cookies in
            (CookieOrigin.isHost(domain, in: cookie.domain) || CookieOrigin.isHost(cookie.domain, in: domain))
                && cookies.contains {
                    $0.isSecure && $0.nameBytes == cookie.nameBytes && CookieOrigin.isPath(cookie.path, in: $0.path)
                }
        }
    }

    /// Evicts cookies of all domains down to the limit: expired ones first, then the least recently used.
    private mutating func evictFromAllDomains(at now: Date) {
        remove { $0.isExpired(at: now) }
        while count > Self.maximumCount {
            var oldest: (domain: String, index: Int, used: Date)?
            for (domain, cookies) in byDomain {
                for (index, cookie) in cookies.enumerated() where oldest.map({ cookie.lastUsed < $0.used }) ?? true {
                    oldest = (domain, index, cookie.lastUsed)
                }
            }
            guard let oldest else { return }
            byDomain[oldest.domain]?.remove(at: oldest.index)
            if byDomain[oldest.domain]?.isEmpty == true { byDomain[oldest.domain] = nil }
            count -= 1
        }
    }

    /// Returns the cookies of a domain that remain after eviction.
    ///
    /// Expired cookies go first, then those without TLS, then the least recently used.
    private static func evict(from cookies: [StoredCookie], downTo limit: Int, at now: Date) -> [StoredCookie] {
        let unexpired = cookies.filter { !$0.isExpired(at: now) }
        guard unexpired.count > limit else { return unexpired }
        let order = unexpired.indices.sorted { left, right in
            let (first, second) = (unexpired[left], unexpired[right])
            if first.isSecure != second.isSecure { return second.isSecure }
            return (first.lastUsed, left) < (second.lastUsed, right)
        }
        let evicted = Set(order.prefix(unexpired.count - limit))
        return unexpired.indices.filter { !evicted.contains($0) }.map { unexpired[$0] }
    }
}
