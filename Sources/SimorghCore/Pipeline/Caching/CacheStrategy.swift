// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Whether a call may be answered from a cache; the names are those of `URLRequest.CachePolicy`.
public enum CacheStrategy: Sendable, Hashable, CaseIterable {
    /// As RFC 9111 and the response say.
    case useProtocolCachePolicy
    /// From the server, past every cache on the way.
    case reloadIgnoringLocalCacheData
    /// From a cache, however old; from the server where there is nothing.
    case returnCacheDataElseLoad
    /// From a cache, however old; an error where there is nothing.
    ///
    /// Nothing is sent, so no `StopTheLine` is waited for, or asked about what the cache has, and no token is renewed:
    /// whose answer is meant, the one of now tells, also where it is over.
    case returnCacheDataDontLoad
    /// From a cache only after the server has said that it still holds.
    case reloadRevalidatingCacheData
}
