// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

extension APIClient {
    /// The call of a request with a typed failure, not yet made.
    ///
    /// - Parameter request: The request.
    /// - Returns: The call; ``/SimorghCore/Call/value()`` of it throws ``/SimorghCore/NetworkError``.
    public func call<Output, Failure>(_ request: APIRequest<Output, Failure>) -> Call<Output> {
        call(request.method, request.path, query: request.parameters, headers: request.headers, body: request.body)
            .decoding(request.output)
    }

    /// Calls a request, and reads what the server says when it refuses.
    ///
    /// - Parameter request: The request.
    /// - Returns: The value.
    /// - Throws: ``APIClientError`` of the request's failure; a refusal whose body cannot be read keeps its status and bytes.
    public func response<Output, Failure>(
        for request: APIRequest<Output, Failure>
    ) async throws -> Output {
        try await result(for: request).get()
    }

    /// Calls a request, and gives its value or the typed failure.
    ///
    /// - Parameter request: The request.
    /// - Returns: The value, or why there is none.
    public func result<Output, Failure>(
        for request: APIRequest<Output, Failure>
    ) async -> Result<Output, APIClientError<Failure>> {
        await call(request).result().mapError { error in
            APIClientError(error, request, decoder: settings.decoder)
        }
    }
}

extension APIClientError {
    /// The typed failure that an error of the call is.
    package init<Output>(_ error: NetworkError, _ request: APIRequest<Output, Failure>, decoder: JSONDecoder) {
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
