// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import Synchronization

/// The fields behind a body: nobody knows them before the body has ended.
package final class ResponseTrailers: Sendable {
    private let state: Mutex<HTTPFields>

    /// Creates them, empty where they are still to come.
    package init(_ fields: HTTPFields = HTTPFields()) { state = Mutex(fields) }

    /// What came so far.
    package var fields: HTTPFields { state.withLock { $0 } }

    /// Puts them in, when the body ends.
    package func set(_ fields: HTTPFields) { state.withLock { $0 = fields } }
}
