// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// The head of a response, and what its fields say of the connection and the body.
package struct ResponseHead: Sendable {
    /// The status and the fields, as they came.
    package var response: HTTPResponse
    package var shape: ExchangeMachine.Shape
    /// The length of the body, where the head tells it and there is one.
    package var contentLength: Int?
    /// False if the head says that the response has no body.
    package var hasBody = true
    /// The codings of the body, outermost last.
    package var codings: [String] = []
}
