// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
import HTTPTypes

/// The key of stored responses: their partition and URL.
///
/// Each part is hashed with its length, so that different keys have different inputs. The file name is a hash, which
/// does not reveal the URL.
package struct CacheKey: Sendable, Hashable {
    /// Eight bytes of the SHA-256 of the URL, and eight of that of partition and URL.
    package let bytes: [UInt8]
    /// The group of the responses in this partition; the responses to the URL in all partitions are its family.
    package let group: BlobGroup

    package init(partition: String, url: String) {
        let urlHash = Self.hash(["simorgh-http-2", url])
        if partition.isEmpty {
            bytes = urlHash
        } else {
            bytes = Array(urlHash.prefix(8)) + Self.hash(["simorgh-http-2", partition, url]).prefix(8)
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

    /// Normalizes a URL: lower-case scheme and host, no default port, no fragment, and `/` for an empty path.
    ///
    /// - Parameter url: An absolute URL.
    /// - Returns: The URL; `nil` if it is not a valid HTTP URL.
    package static func normalized(_ url: String) -> String? {
        guard let parts = try? URLParts(url, schemes: BaseURL.httpSchemes) else { return nil }
        let path = parts.pathAndQuery.isEmpty ? "/" : String(Substring(parts.pathAndQuery))
        return "\(parts.scheme)://\(parts.authority)\(path.utf8.first == UInt8(ascii: "/") ? "" : "/")\(path)"
    }

    /// Returns true if two URLs have the same scheme, host and port.
    package static func isSameOrigin(_ one: String, as other: String) -> Bool {
        guard let origin = WebOrigin(one) else { return false }
        return origin == WebOrigin(other)
    }

    /// Returns a hash of the request fields that selected a response, which distinguishes the variants of a URL.
    package static func variant(_ stored: StoredResponse) -> UInt64 {
        let isDecoded = stored.isDecoded || !stored.facts.isEncoded
        // Most responses do not depend on request fields.
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
