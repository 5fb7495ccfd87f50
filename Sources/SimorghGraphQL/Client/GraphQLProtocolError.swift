// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
public import SimorghRealtime
import SimorghSupport

/// A response that breaks the rules of GraphQL over HTTP: the ``/SimorghCore/NetworkError/underlyingError`` of a call.
public struct GraphQLProtocolError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The rule that was broken.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
        /// A redirect turned a POST into a GET, so the operation was not sent.
        case redirected
        /// The response has another media type.
        case contentType
        /// The response has neither data nor errors, or is not an object.
        case notAResponse
        /// A multipart response has a malformed part or no valid boundary.
        case malformedMultipart
        /// The response ended before it was complete.
        case truncated
        /// A part of an incremental response has a path that does not exist, or no known form.
        case invalidPatch
        /// The response exceeds a limit of ``GraphQLOptions``, or `maximumCollectedBytes` of the client.
        case limitExceeded
    }

    /// The rule that was broken.
    public let reason: Reason
    /// A description of the failure.
    public let description: String

    package init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }
}

extension GraphQLProtocolError: LocalizedError {
    /// The error's description.
    public var errorDescription: String? { description }
}

extension NetworkError {
    /// The GraphQL errors in the body of a response that was not a GraphQL response by its status and media type.
    ///
    /// A status other than 2xx with `application/json` may come from a proxy, so such a response is an error of the
    /// call. Many servers nevertheless describe an invalid operation there. `nil` if the body has no such errors.
    public var graphQLErrors: GraphQLErrors? {
        guard let response else { return nil }
        let list = try? JSONDecoder().decode(GraphQLErrorList.self, from: response.body)
        return list?.errors.flatMap { $0.isEmpty ? nil : GraphQLErrors($0) }
    }
}

/// The errors of a body, which may be no GraphQL response.
package struct GraphQLErrorList: Decodable {
    package let errors: [GraphQLErrors.Fault]?
    package let data: JSON?
}
