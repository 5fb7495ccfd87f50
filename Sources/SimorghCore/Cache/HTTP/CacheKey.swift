// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
import HTTPTypes

/// Under what a response is stored: whose it is, and its URL.
///
/// Every part stands behind its length, so that no two keys are written alike; the name on the disk is a hash, which tells
/// nothing of the URL.
package struct CacheKey: Sendable, Hashable {
    /// Eight bytes of a SHA-256 of the URL, and eight of one of both.
    package let bytes: [UInt8]
    /// The group of the responses to somebody at the URL; those to anybody at it are its family.
    package let group: BlobGroup

    package init(partition: String, url: String) {
        let place = Self.hash(["simorgh-http-2", url])
        if partition.isEmpty {
            bytes = place
        } else {
            bytes = Array(place.prefix(8)) + Self.hash(["simorgh-http-2", partition, url]).prefix(8)
        }
        group = BlobGroup(bytes)
    }

    private static func hash(_ parts: [String]) -> [UInt8] {
        var hash = SHA256()
        for part in parts {
            withUnsafeBytes(of: UInt64(part.utf8.count).littleEndian) { hash.update(bufferPointer: $0) }
            hash.update(data: Array(part.utf8))
        }
        return Array(hash.finalize().prefix(16))
    }

    /// A URL as it is compared: scheme and host in small letters, no default port, no fragment, `/` for an empty path.
    ///
    /// - Parameter url: A whole URL.
    /// - Returns: The URL, or `nil` for what is no URL of HTTP.
    package static func normalized(_ url: String) -> String? {
        guard let parts = try? URLParts(url, schemes: BaseURL.httpSchemes) else { return nil }
        let path = parts.pathAndQuery.isEmpty ? "/" : String(Substring(parts.pathAndQuery))
        return "\(parts.scheme)://\(parts.authority)\(path.utf8.first == UInt8(ascii: "/") ? "" : "/")\(path)"
    }

    /// Whether two URLs have one scheme, host and port.
    package static func isSameOrigin(_ one: String, _ other: String) -> Bool {
        guard let origin = WebOrigin(one) else { return false }
        return origin == WebOrigin(other)
    }

    /// Tells the variants of one URL apart: a hash of what they were chosen by.
    package static func variant(_ stored: StoredResponse) -> UInt64 {
        let isDecoded = stored.isDecoded || !stored.facts.isEncoded
        // Most responses are those of every request of the URL.
        if stored.selectors.isEmpty { return isDecoded ? decoded : encoded }
        return variant(stored.selectors, isDecoded: isDecoded)
    }

    private static let decoded = variant([], isDecoded: true)
    private static let encoded = variant([], isDecoded: false)

    private static func variant(_ selectors: [StoredResponse.Selector], isDecoded: Bool) -> UInt64 {
        var hash = SHA256()
        for selector in selectors.sorted(by: { $0.name.canonicalName < $1.name.canonicalName }) {
            for part in [selector.name.canonicalName, selector.value.map { "=" + $0 } ?? "-"] {
                withUnsafeBytes(of: UInt64(part.utf8.count).littleEndian) { hash.update(bufferPointer: $0) }
                hash.update(data: Array(part.utf8))
            }
        }
        hash.update(data: [isDecoded ? 1 : 0])
        return hash.finalize().prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
