// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCompatibility
public import SimorghCore

extension APIClient {
    /// Returns a publisher that calls an endpoint and publishes its decoded JSON on the client's callback queue.
    ///
    /// - Parameter router: The endpoint.
    /// - Returns: A cold publisher: one call per subscriber, which publishes one value and then finishes.
    public func request<Model: Decodable & Sendable>(
        _ router: some NetworkRouter
    ) -> AnyPublisher<Model, NetworkError> {
        call(router).publisher(Model.self)
    }

    /// Returns a publisher that sends a request and publishes its value or typed failure on the client's callback
    /// queue.
    ///
    /// - Parameter request: The request.
    /// - Returns: A cold publisher: one call per subscriber, which publishes one value and then finishes.
    public func response<Output, Failure>(
        for request: APIRequest<Output, Failure>
    ) -> AnyPublisher<Output, APIClientError<Failure>> {
        WorkPublisher(queue: configuration.callbackQueue) {
            await self.result(for: request)
        }
        .eraseToAnyPublisher()
    }
}
