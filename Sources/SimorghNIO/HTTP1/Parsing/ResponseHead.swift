// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// The head of a response, and the properties of the connection and the body that follow from its fields.
package struct ResponseHead: Sendable {
    /// The status and the fields as received.
    package var response: HTTPResponse
    package var shape: ExchangeStateMachine.Shape
    /// The length of the body, if the head has one and there is a body.
    package var contentLength: Int?
    /// False if the head says that the response has no body.
    package var hasBody = true
    /// The content codings of the body, the outermost last.
    package var codings: [String] = []
}
