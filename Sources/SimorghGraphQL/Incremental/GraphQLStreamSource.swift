// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghCore
import SimorghSupport

/// A call whose response streams, with the options for reading it.
package struct GraphQLStreamSource: Sendable {
    /// A response whose head has arrived.
    package enum Opened: Sendable {
        /// The body is still arriving.
        case stream(StreamingResponse)
        /// A GraphQL response with a status other than 2xx.
        case response(JSON, CollectedResponse)
    }

    package let options: GraphQLOptions
    package let decoder: JSONDecoder
    /// The largest number of bytes of an incremental response.
    package let maximumBytes: Int
    private let call: Call<Data>
    private let responseErrors: GraphQLResponseErrors

    package init(
        _ client: GraphQLClient, _ request: GraphQLRequestDescription, allowed: Set<GraphQLDocument.Kind>
    ) {
        var call = client.call(request, allowed: allowed, decoding: .data).with { configuration in
            configuration.validation.statusCodes = .success
            // The media type is checked with the body.
            configuration.validation.contentTypes = nil
            // A GraphQL response with an error status is recognized before the decoder of errors reads it.
            configuration.validation.errorDecoder = nil
            // A subscription may be silent for hours.
            if allowed == [.subscription], !configuration.timeouts.isIdleSet { configuration.timeouts.idle = nil }
        }
        // A subscription never ends by itself, so no drain of the client waits for it.
        if allowed == [.subscription] { call.kind = .eventSource }
        self.call = call
        responseErrors = GraphQLResponseErrors(client.client.configuration)
        options = client.options
        decoder = call.settings.decoder
        maximumBytes = call.settings.configuration.maximumCollectedBytes
    }

    /// True if the client is draining.
    package var isDraining: Bool { call.client.isDraining }

    /// Makes the call.
    package func open() async throws(NetworkError) -> Opened {
        let response: StreamingResponse
        do {
            response = try await call.openStream()
        } catch {
            guard case .customError(_, let refused) = error else { throw error }
            guard let payload = Self.payload(of: refused) else { throw responseErrors.error(refused) }
            return .response(payload, refused)
        }
        try responseErrors.checkRedirects(response.head)
        return .stream(response)
    }

    /// Returns the GraphQL response in a rejected response, which only one media type can mean.
    private static func payload(of response: CollectedResponse) -> JSON? {
        guard let type = response.headers[values: .contentType].last, !response.isBodyTruncated,
            MediaTypePattern.essence(of: type) == GraphQLResponseRules.mediaType,
            let payload = try? JSON(parsing: response.body), payload["errors"].array?.isEmpty == false
        else { return nil }
        return payload
    }

    /// Returns the error for a payload that cannot be decoded.
    package func failure(
        _ error: any Error, of payload: Data, _ head: CollectedResponse, type: any Any.Type
    ) -> ResponseDecodingError {
        var response = head
        response.body = payload
        return ResponseDecodingError(error, type: type, response: response)
    }
}
