// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore
import SimorghSupport

/// What a check says of a response.
public enum ResponseValidity: Sendable, Hashable {
    /// It is accepted.
    case valid
    /// It is refused.
    case invalid(reason: String)
}

/// A step that refuses what looks like success and is none.
///
/// ```swift
/// ResponseValidatorInterceptor(validate: { response in
///     response.header("Content-Type") == "application/xml" ? .invalid(reason: "XML is not ours") : .valid
/// }).interceptor
/// ```
/// Only responses with a status from 200 to 299 are checked; others keep the error that their status is. Responses of a
/// cache are checked as well.
public struct ResponseValidatorInterceptor: Sendable {
    /// The step.
    public let interceptor: Interceptor

    /// Creates a step that checks responses.
    ///
    /// - Parameter validate: Judges a response. Its body is empty where the call streams it.
    public init(validate: @escaping @Sendable (CollectedResponse) throws -> ResponseValidity) {
        interceptor = Interceptor { request, next in
            let answer = try await next(request)
            guard (200..<300).contains(answer.head.status.code) else { return answer }
            let response = CollectedResponse(answer, body: answer.body.collectedBytes ?? Data(), to: request.head)
            if case .invalid(let reason) = try validate(response) {
                throw NetworkError.validation(reason: reason, response)
            }
            return answer
        }
    }
}
