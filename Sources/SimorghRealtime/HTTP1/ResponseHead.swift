// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// The head of a response, and the properties of the connection and the body that follow from its fields.
package struct ResponseHead: Sendable {
    /// The status and the fields as received.
    package var response: HTTPResponse
    package var shape: ResponseShape
    /// The length of the body, if the head has one and there is a body.
    package var contentLength: Int?
    /// False if the head says that the response has no body.
    package var hasBody = true
    /// The content codings of the body, the outermost last.
    package var codings: [String] = []

    package init(
        response: HTTPResponse, shape: ResponseShape, contentLength: Int? = nil, hasBody: Bool = true,
        codings: [String] = []
    ) {
        self.response = response
        self.shape = shape
        self.contentLength = contentLength
        self.hasBody = hasBody
        self.codings = codings
    }
}

/// The properties of a response's head that matter for its connection.
package struct ResponseShape: Sendable, Equatable {
    package var status: Int
    /// True if the server keeps the connection open, according to its version and `Connection` field.
    package var keepsAlive: Bool
    /// True if the body has no length and ends with the connection.
    package var isUntilClose: Bool

    package init(status: Int, keepsAlive: Bool, isUntilClose: Bool) {
        self.status = status
        self.keepsAlive = keepsAlive
        self.isUntilClose = isUntilClose
    }
}
