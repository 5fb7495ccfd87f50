// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// What a cache did for a response: what the field `Cache-Status` says (RFC 9211).
public struct CacheReport: Sendable, Hashable {
    /// Why a request went to the server.
    public enum Forward: String, Sendable, Hashable, CaseIterable {
        /// The cache is not for it.
        case bypass
        /// Its method is not one that a cache answers.
        case method
        /// Nothing is stored for the URL.
        case uriMiss = "uri-miss"
        /// What is stored for the URL was chosen for other requests.
        case varyMiss = "vary-miss"
        /// What is stored could have been used, but for what the request says.
        case request
        /// What is stored is not fresh any more, or must be asked for each time.
        case stale
        /// Only a part was asked for, and the whole is not stored.
        case partial
    }

    /// Whether the response came from the cache without a word from the server.
    public var isHit: Bool { forward == nil && !isRefused }
    /// Why the server was asked; `nil` where it was not.
    public var forward: Forward?
    /// Whether the cache has nothing for a request that is not to reach the server (`only-if-cached`), so that the response,
    /// a 504, is nobody's but its own.
    public var isRefused = false
    /// The status of the server's answer, where it is not that of the response; 304 where what is stored still holds.
    public var forwardStatus: Int?
    /// For how many more seconds the response is fresh; negative where it is not any more, `nil` where it is not stored.
    public var secondsToLive: Int64?
    /// Whether the response is stored from now on.
    public var isStored = false
    /// Whether what is stored was used although it was not fresh any more.
    public var isStale = false
    /// What there is to say besides, as a word.
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

    /// Whether the server said that what is stored still holds.
    public var isRevalidated: Bool { forwardStatus == 304 }
}

extension CacheReport: CustomStringConvertible {
    /// The member of `Cache-Status`, such as `Simorgh; hit; ttl=299`.
    public var description: String {
        let number = secondsToLive.map { String($0) } ?? ""
        // What the names and a status take at most; appended to a string one by one, they would be moved several times.
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
