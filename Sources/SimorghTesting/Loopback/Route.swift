// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// One route: which requests it answers, what it does with their body, and how it answers.
package struct Route: Sendable {
    package enum Intake: Sendable {
        /// The answer is given when the head has come; the body is read after that, and dropped.
        case none
        /// The body is read and dropped before the answer is given.
        case dropped
        /// The body is kept for the answer.
        case kept
        /// The body is read as multipart as it comes, and only summed up.
        case multipart
    }

    package enum Answer: Sendable {
        case reply(@Sendable (LoopbackRequest) -> Reply)
        case handler(@Sendable (RecordedRequest) async throws -> StubResponse)
    }

    /// The method; `nil` for all.
    package let method: String?
    package let pattern: PathPattern
    package let intake: Intake
    package let answer: Answer

    package init(
        _ method: String?, _ path: String, intake: Intake = .dropped,
        _ reply: @escaping @Sendable (LoopbackRequest) -> Reply
    ) {
        self.method = method
        pattern = PathPattern(path)
        self.intake = intake
        answer = .reply(reply)
    }

    package init(
        method: HTTPRequest.Method?, pattern: PathPattern,
        _ handler: @escaping @Sendable (RecordedRequest) async throws -> StubResponse
    ) {
        self.method = method?.rawValue
        self.pattern = pattern
        intake = .kept
        answer = .handler(handler)
    }
}
