// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// A method and a path pattern, and the response to matching requests.
package struct Route: Sendable {
    /// The method; `nil` matches all methods.
    package let method: HTTPRequest.Method?
    package let pattern: PathPattern
    /// True if the response is sent as soon as the head of the request has arrived, before its body is read.
    package let isEarly: Bool
    package let answer: @Sendable (RecordedRequest) -> StubResponse

    package init(
        _ method: HTTPRequest.Method?, path: String, isEarly: Bool = false,
        answer: @escaping @Sendable (RecordedRequest) -> StubResponse
    ) {
        self.method = method
        pattern = PathPattern(path)
        self.isEarly = isEarly
        self.answer = answer
    }
}
