// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCompatibility
public import SimorghCore

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

extension APIClient {
    /// Calls an endpoint for each subscriber and publishes its decoded JSON, on the client's callback queue.
    ///
    /// - Parameter router: The endpoint.
    /// - Returns: The publisher: cold, one value and then the end.
    public func request<Model: Decodable & Sendable>(
        _ router: some NetworkRouter
    ) -> AnyPublisher<Model, NetworkError> {
        call(router).publisher(Model.self)
    }

    /// Calls a request for each subscriber and publishes its value or its typed failure, on the client's callback queue.
    ///
    /// - Parameter request: The request.
    /// - Returns: The publisher: cold, one value and then the end.
    public func response<Output, Failure>(
        for request: APIRequest<Output, Failure>
    ) -> AnyPublisher<Output, APIClientError<Failure>> {
        WorkPublisher(queue: configuration.callbackQueue) {
            await self.result(for: request)
        }
        .eraseToAnyPublisher()
    }
}
