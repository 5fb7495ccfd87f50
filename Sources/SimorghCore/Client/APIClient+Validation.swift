// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

/// Validates responses and converts errors, using the settings of a client.
extension APIClient.Settings {
    /// The JSON decoder: the configured one, or the default.
    ///
    /// Performance: this property and ``accepts(_:)`` avoid copying the configuration, which is large.
    package var decoder: JSONDecoder { configuration.coding.decoder ?? Coders.decoder }

    /// Returns true if the client accepts a status.
    func accepts(_ status: Int) -> Bool { configuration.validation.statusCodes.contains(status) }

    /// Returns a response with its body in memory.
    ///
    /// The body is complete if the status is accepted; otherwise it is limited to the size that an error keeps.
    ///
    /// - Parameters:
    ///   - answer: The response. Its body is truncated, larger than the client accepts, or streamed by an interceptor.
    ///   - request: The request.
    ///   - anyStatus: True if every status is accepted.
    /// - Returns: The response.
    /// - Throws: ``ResponseBody/TooLargeError``, or the error of the transport.
    func bounded(
        _ answer: TransportResponse, to request: TransportRequest, anyStatus: Bool
    ) async throws -> TransportResponse {
        let limit = configuration.maximumCollectedBytes
        let status = answer.head.status.code
        guard !anyStatus, !accepts(status), status >= 300 else {
            if let failure = answer.bodyFailure { throw failure }
            guard !answer.isBodyTruncated else { throw ResponseBody.TooLargeError(limit: limit) }
            var answer = answer
            answer.body = ResponseBody(try await answer.body.collect(upTo: limit))
            return answer
        }
        return try await answer.collectingErrorBody(for: request)
    }

    /// Returns the error that the caller sees.
    ///
    /// - Parameters:
    ///   - error: The error that was thrown.
    ///   - request: The request that the call began with.
    ///   - redirection: The last redirect that was followed, if its response failed later.
    /// - Returns: The error.
    package func failure(
        _ error: any Error, for request: TransportRequest, after redirection: Redirection? = nil
    ) -> NetworkError {
        NetworkError(
            error,
            method: redirection?.method ?? request.head.method.rawValue,
            url: redirection?.to ?? request.head.urlString,
            limit: configuration.maximumCollectedBytes,
            attempts: request.options.call?.attempts
        )
    }

    /// Throws if the client does not accept the status or the media type of a response.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - decodeError: Decodes the server's own error from a rejected response, before the client's `errorDecoder`.
    /// - Throws: ``NetworkError``.
    func validate(
        _ response: CollectedResponse, decodeError: (@Sendable (CollectedResponse) -> (any Error)?)?
    ) throws(NetworkError) {
        guard !accepts(response.statusCode) else {
            // Performance: checked here, too, because most clients accept every type and the closure below copies the
            // response.
            guard configuration.validation.contentTypes != nil else { return }
            return try validateType(response, mayHaveBody: !response.body.isEmpty)
        }
        var refused = response
        if refused.body.count > configuration.maximumErrorBodyBytes {
            refused.body = refused.body.prefix(max(0, configuration.maximumErrorBodyBytes))
            refused.isBodyTruncated = true
        }
        guard let error = decodeError?(refused) ?? configuration.validation.errorDecoder?(refused) else {
            throw .customError(refused.statusCode, refused)
        }
        throw .responseError(ResponseError(error, context: FailureContext(refused), response: refused))
    }

    /// Throws if the response may have a body and its media type is not one of the client's `validation.contentTypes`.
    func validateType(_ response: CollectedResponse, mayHaveBody: @autoclosure () -> Bool) throws(NetworkError) {
        guard let types = configuration.validation.contentTypes, mayHaveBody() else { return }
        guard let type = response.headers[.contentType] else {
            throw .validation(reason: "the response has no Content-Type, expected one of \(types)", response)
        }
        guard types.contains(where: { MediaTypePattern.matches(type, pattern: $0) }) else {
            throw .validation(reason: "the response has Content-Type \(type), expected one of \(types)", response)
        }
    }
}

extension FailureContext {
    init(_ response: CollectedResponse) {
        self.init(method: response.method, url: response.url, attempts: response.attempts)
    }
}
