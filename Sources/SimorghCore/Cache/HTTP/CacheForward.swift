// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// A request that goes to the server, and what its answer may be used for.
package struct CacheForward: Sendable, Equatable {
    /// Why it goes there.
    package var reason: CacheReport.Forward
    /// The fields that the request gets.
    package var adds: [HTTPField] = []
    /// Which of the stored responses the answer may be about; `nil` for none.
    package var index: Int?
    /// Whether the request asks, for the cache, if that response still holds.
    package var isOwnCondition = false
    /// Whether the answer may be stored.
    package var mayStore = true
    /// Whether that response may be used when the server fails.
    package var mayUseStale = false

    package init(_ reason: CacheReport.Forward, index: Int? = nil, mayStore: Bool = true) {
        self.reason = reason
        self.index = index
        self.mayStore = mayStore
    }
}
