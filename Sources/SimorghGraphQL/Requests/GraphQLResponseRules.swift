// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghCore
package import SimorghRealtime
import SimorghSupport

/// The rules by which a response is a GraphQL response (GraphQL over HTTP, section 6).
package enum GraphQLResponseRules {
    /// The media type of GraphQL responses.
    package static let mediaType = "application/graphql-response+json"
    /// The `Accept` field of queries and mutations.
    package static let accept = "\(mediaType), application/json;q=0.9"

    /// The decision about a response.
    package enum Decision: Sendable, Equatable {
        /// The body is a GraphQL response.
        case response
        /// The body may be a GraphQL response; if it is not one, the status is the failure.
        case responseOrFailure
        /// The status is the failure.
        case failure
        /// The media type is not one of a GraphQL response.
        case wrongType
    }

    /// Decides how a response is read.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - contentType: The `Content-Type` field.
    /// - Returns: The decision.
    package static func decision(status: Int, contentType: String?) -> Decision {
        let isSuccess = (200..<300).contains(status)
        let type = contentType.map(MediaTypePattern.essence)
        if type == mediaType { return isSuccess ? .response : .responseOrFailure }
        guard isSuccess else { return .failure }
        guard let type, !type.isEmpty else { return .response }
        return GraphQLMediaType(type) == .json ? .response : .wrongType
    }
}

extension ResponseDecoding {
    /// Returns a decoding of a GraphQL response.
    ///
    /// - Parameters:
    ///   - type: The type of the data.
    ///   - configuration: The configuration of the client.
    /// - Returns: The decoding.
    package static func graphQL<Value: Decodable & Sendable>(
        _ type: Value.Type, _ configuration: APIClient.Configuration
    ) -> ResponseDecoding where Output == GraphQLResponse<Value> {
        let responseErrors = GraphQLResponseErrors(configuration)
        var decoding = ResponseDecoding(accept: GraphQLResponseRules.accept) { response, decoder in
            try responseErrors.checkRedirects(response)
            let type = response.headers[values: .contentType].last
            switch GraphQLResponseRules.decision(status: response.statusCode, contentType: type) {
            case .response: return try GraphQLResponse(parsing: response, decoder)
            case .responseOrFailure:
                guard let found = try? GraphQLResponse<Value>(parsing: response, decoder) else {
                    throw responseErrors.error(response)
                }
                return found
            case .failure: throw responseErrors.error(response)
            case .wrongType:
                throw NetworkError(
                    .contentType,
                    "expected a GraphQL response in JSON, but the response has Content-Type \(type ?? "")",
                    response)
            }
        }
        decoding.acceptsAnyStatus = true
        return decoding
    }
}

extension GraphQLResponse {
    /// Decodes a response that has data, errors or both.
    fileprivate init(parsing response: CollectedResponse, _ decoder: JSONDecoder) throws {
        guard !response.body.isEmpty else { throw NetworkError.emptyResponse(response) }
        do {
            try self.init(checking: response.body, decoder)
        } catch let error as GraphQLProtocolError {
            throw NetworkError(error, response)
        } catch {
            throw ResponseDecodingError(error, type: Self.self, response: response)
        }
    }

    /// Decodes a response, and checks that it has data, errors or both.
    ///
    /// - Parameters:
    ///   - body: The JSON.
    ///   - decoder: The decoder.
    /// - Throws: ``GraphQLProtocolError``, or the error of the decoder.
    package init(checking body: Data, _ decoder: JSONDecoder) throws {
        self = try decoder.decode(Self.self, from: body)
        guard data != nil || !errors.isEmpty else {
            throw GraphQLProtocolError(.notAResponse, "the response has neither data nor errors")
        }
    }
}

/// The errors for responses that are not GraphQL responses.
package struct GraphQLResponseErrors: Sendable {
    private let errorDecoder: (@Sendable (CollectedResponse) -> (any Error)?)?
    private let maximumErrorBodyBytes: Int

    package init(_ configuration: APIClient.Configuration) {
        errorDecoder = configuration.validation.errorDecoder
        maximumErrorBodyBytes = configuration.maximumErrorBodyBytes
    }

    /// Throws if a redirect turned a POST into a GET.
    package func checkRedirects(_ response: CollectedResponse) throws(NetworkError) {
        if let error = Self.lostOperation(response) { throw error }
    }

    /// Returns the error for a redirect that turned a POST into a GET; `nil` if the method is unchanged.
    package static func lostOperation(_ response: CollectedResponse) -> NetworkError? {
        guard response.requestHead.method == .post, response.method != HTTPRequest.Method.post.rawValue else {
            return nil
        }
        return NetworkError(
            .redirected, "a redirect turned the POST into a \(response.method), which has no operation", response)
    }

    /// Returns the error for a rejected status, as the client would.
    package func error(_ response: CollectedResponse) -> NetworkError {
        var refused = response
        if refused.body.count > maximumErrorBodyBytes {
            refused.body = refused.body.prefix(max(0, maximumErrorBodyBytes))
            refused.isBodyTruncated = true
        }
        guard let error = errorDecoder?(refused) else { return .customError(refused.statusCode, refused) }
        return .responseError(
            ResponseError(
                error,
                context: FailureContext(method: refused.method, url: refused.url, attempts: refused.attempts),
                response: refused))
    }
}

extension NetworkError {
    /// Creates the error for a response that breaks a rule of GraphQL over HTTP.
    package init(_ reason: GraphQLProtocolError.Reason, _ description: String, _ response: CollectedResponse) {
        self.init(GraphQLProtocolError(reason, description), response)
    }

    package init(_ error: any Error, _ response: CollectedResponse) {
        self = .responseError(
            ResponseError(
                error, context: FailureContext(method: response.method, url: response.url, attempts: response.attempts),
                response: response))
    }
}
