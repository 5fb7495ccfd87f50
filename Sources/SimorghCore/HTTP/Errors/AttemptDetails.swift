// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghSupport

/// Details of an exchange that failed; separate from its error, which is passed around and copied.
package final class AttemptDetails: Sendable {
    package let timings: ExchangeTimings
    package let connection: ConnectionInfo?
    /// The head of the response, as it was on the wire; `nil` if the exchange failed before it arrived.
    package let response: HTTPResponse?
    /// The part of a collected body that arrived; `nil` if it is compressed, or if no observer asks for it.
    package let body: Data?

    package init(
        timings: ExchangeTimings, connection: ConnectionInfo?, response: HTTPResponse? = nil, body: Data? = nil
    ) {
        self.timings = timings
        self.connection = connection
        self.response = response
        self.body = body
    }
}
