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

/// A step that checks responses: see ``SimorghCore/Interceptor/init(validate:)``.
public typealias ResponseValidatorInterceptor = Interceptor

extension Interceptor {
    /// Creates a step that refuses what looks like success and is none.
    ///
    /// ```swift
    /// ResponseValidatorInterceptor(validate: { response in
    ///     response.header("Content-Type") == "application/xml" ? .invalid(reason: "XML is not ours") : .valid
    /// })
    /// ```
    /// Only responses with a status from 200 to 299 are checked; others keep the error that their status is. Responses of
    /// a cache are checked as well.
    ///
    /// - Parameter validate: Judges a response. Its body is empty where the call streams it.
    public init(validate: @escaping @Sendable (CollectedResponse) throws -> ResponseValidity) {
        self.init { request, next in
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
