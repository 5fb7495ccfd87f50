// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The use of caches for a call; the names are those of `URLRequest.CachePolicy`.
public enum CacheStrategy: Sendable, Hashable, CaseIterable {
    /// Follow RFC 9111 and the response's directives.
    case useProtocolCachePolicy
    /// Load from the server, and bypass every cache on the way.
    case reloadIgnoringLocalCacheData
    /// Use a stored response of any age; load from the server if nothing is stored.
    case returnCacheDataElseLoad
    /// Use a stored response of any age; fail if nothing is stored.
    ///
    /// Nothing is sent, so the call bypasses any `StopTheLine` and refreshes no token: the current token, even if it
    /// has expired, selects the stored responses of its user.
    case returnCacheDataDontLoad
    /// Use a stored response only after the server has confirmed that it is still valid.
    case reloadRevalidatingCacheData
}
