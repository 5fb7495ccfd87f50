// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

extension APIClient {
    /// Returns the call of a request with a typed failure, without sending it.
    ///
    /// - Parameter request: The request.
    /// - Returns: The call; its ``/SimorghCore/Call/value()`` throws ``/SimorghCore/NetworkError``.
    public func call<Output, Failure>(_ request: APIRequest<Output, Failure>) -> Call<Output> {
        call(request.method, request.path, query: request.parameters, headers: request.headers, body: request.body)
            .decoding(request.output)
    }

    /// Sends a request, and decodes the server's error if the response is not accepted.
    ///
    /// - Parameter request: The request.
    /// - Returns: The value.
    /// - Throws: ``APIClientError`` with the request's failure type. If the body of an error response cannot be
    ///   decoded, the error still has its status and bytes.
    public func response<Output, Failure>(
        for request: APIRequest<Output, Failure>
    ) async throws -> Output {
        try await result(for: request).get()
    }

    /// Sends a request, and returns its value or the typed failure.
    ///
    /// - Parameter request: The request.
    /// - Returns: The value or the failure.
    public func result<Output, Failure>(
        for request: APIRequest<Output, Failure>
    ) async -> Result<Output, APIClientError<Failure>> {
        await call(request).result().mapError { error in
            APIClientError(error, request: request, decoder: settings.decoder)
        }
    }
}

extension APIClientError {
    /// Creates the typed failure of a call's error.
    package init<Output>(_ error: NetworkError, request: APIRequest<Output, Failure>, decoder: JSONDecoder) {
        switch error {
        case .customError(let status, let response):
            let failure = response.body.isEmpty ? nil : try? request.failure.decode(response, decoder)
            self = .apiError(APIError(statusCode: status, error: failure, response: response))
        case .decodingError, .emptyResponse:
            self = .decodingError(error)
        default:
            self = .loadingError(error)
        }
    }
}
