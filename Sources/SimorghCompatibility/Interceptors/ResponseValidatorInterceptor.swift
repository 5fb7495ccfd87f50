// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore
import SimorghSupport

/// The result of validating a response.
public enum ResponseValidity: Sendable, Hashable {
    /// The response is accepted.
    case valid
    /// The response is rejected.
    case invalid(reason: String)
}

/// An interceptor that rejects invalid responses that have a successful status.
///
/// ```swift
/// ResponseValidatorInterceptor(validate: { response in
///     response.header("Content-Type") == "application/xml" ? .invalid(reason: "XML is not ours") : .valid
/// }).interceptor
/// ```
/// Only responses with a status from 200 to 299 are validated; others keep the error of their status. Cached responses
/// are validated, too.
public struct ResponseValidatorInterceptor: Sendable {
    /// The interceptor.
    public let interceptor: Interceptor

    /// Creates an interceptor that validates responses.
    ///
    /// - Parameter validate: Returns the validity of a response. The response's body is empty if the call streams it.
    public init(validate: @escaping @Sendable (CollectedResponse) throws -> ResponseValidity) {
        interceptor = Interceptor { request, next in
            let answer = try await next(request)
            guard (200..<300).contains(answer.head.status.code) else { return answer }
            let response = CollectedResponse(
                answer, body: answer.body.collectedBytes ?? Data(), to: request.head,
                codecs: request.options.call?.codecs)
            if case .invalid(let reason) = try validate(response) {
                throw NetworkError.validation(reason: reason, response)
            }
            return answer
        }
    }
}
