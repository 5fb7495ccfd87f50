// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The way in which a cache handled a request, as in the `Cache-Status` field (RFC 9211).
public struct CacheReport: Sendable, Hashable {
    /// The reason why a request was forwarded to the server.
    public enum Forward: String, Sendable, Hashable, CaseIterable {
        /// The cache does not handle the request.
        case bypass
        /// The request method cannot be answered from a cache.
        case method
        /// Nothing is stored for the URL.
        case uriMiss = "uri-miss"
        /// The stored responses for the URL were selected by other request header fields (`Vary`).
        case varyMiss = "vary-miss"
        /// The stored response was usable, but the request's directives did not allow it.
        case request
        /// The stored response is stale, or requires revalidation for each use.
        case stale
        /// The request is for a range, and the complete response is not stored.
        case partial
    }

    /// True if the response came from the cache without contacting the server.
    public var isHit: Bool { forward == nil && !isRefused }
    /// The reason why the request was forwarded to the server; `nil` if it was not.
    public var forward: Forward?
    /// True if the cache has no response for a request that must not reach the server (`only-if-cached`).
    ///
    /// The response is then a 504 that the cache generated.
    public var isRefused = false
    /// The status code of the server's response, if it differs from that of the response; 304 if it was revalidated.
    public var forwardStatus: Int?
    /// The remaining freshness lifetime in seconds; negative if the response is stale, `nil` if it is not stored.
    public var secondsToLive: Int64?
    /// True if the response is now stored.
    public var isStored = false
    /// True if a stale response was used.
    public var isStale = false
    /// Further detail, as a token.
    public var detail: String?

    package init(
        forward: Forward? = nil, forwardStatus: Int? = nil, secondsToLive: Int64? = nil, isStored: Bool = false,
        isStale: Bool = false, detail: String? = nil, isRefused: Bool = false
    ) {
        self.forward = forward
        self.forwardStatus = forwardStatus
        self.secondsToLive = secondsToLive
        self.isStored = isStored
        self.isStale = isStale
        self.detail = detail
        self.isRefused = isRefused
    }

    /// True if the server confirmed that the stored response is still valid.
    public var isRevalidated: Bool { forwardStatus == 304 }
}

extension CacheReport: CustomStringConvertible {
    /// The member of `Cache-Status`, such as `Simorgh; hit; ttl=299`.
    public var description: String {
        let number = secondsToLive.map { String($0) } ?? ""
        // The longest possible text. Appending to a string part by part would reallocate it several times.
        let length = 96 + number.utf8.count + (forward?.rawValue.utf8.count ?? 0) + (detail?.utf8.count ?? 0)
        return String(unsafeUninitializedCapacity: length) { buffer in
            var writer = ByteWriter(buffer)
            writer.append("Simorgh")
            if let forward {
                writer.append("; fwd=")
                writer.append(forward.rawValue)
            } else if isHit {
                writer.append("; hit")
            }
            if let forwardStatus {
                writer.append("; fwd-status=")
                writer.append(String(forwardStatus))
            }
            if isStored { writer.append("; stored") }
            if secondsToLive != nil {
                writer.append("; ttl=")
                writer.append(number)
            }
            if let detail {
                writer.append("; detail=")
                writer.append(detail)
            }
            return writer.count
        }
    }
}
