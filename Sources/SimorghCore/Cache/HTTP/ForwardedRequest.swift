// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// A request that is forwarded to the server, and the permitted uses of its response.
package struct ForwardedRequest: Sendable, Equatable {
    /// The reason for forwarding.
    package var reason: CacheReport.Forward
    /// The fields that the cache adds to the request.
    package var adds: [HTTPField] = []
    /// The index of the stored response that the request may validate; `nil` for none.
    package var index: Int?
    /// True if the cache added conditions to validate that response.
    package var isOwnCondition = false
    /// True if the response may be stored.
    package var mayStore = true
    /// True if that stored response may be used if the server fails.
    package var mayUseStale = false

    package init(_ reason: CacheReport.Forward, index: Int? = nil, mayStore: Bool = true) {
        self.reason = reason
        self.index = index
        self.mayStore = mayStore
    }
}
