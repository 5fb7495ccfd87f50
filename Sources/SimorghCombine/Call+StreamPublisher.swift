// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

extension StreamedElements where Base: Sendable {
    /// Returns a publisher of the elements, which makes one call per subscriber when the first element is demanded.
    ///
    /// At most one element is read ahead of demand, to detect the end. Cancelling the subscription closes the exchange
    /// at once.
    ///
    /// - Parameter queue: The queue that delivers the elements and the completion.
    /// - Returns: The cold publisher.
    public func publisher(on queue: CallbackQueue = .main) -> AnyPublisher<Element, NetworkError> {
        SequencePublisher(queue: queue, sequence: TypedElements(self)).eraseToAnyPublisher()
    }
}

extension EventSource {
    /// Returns a publisher of the events, which opens one connection per subscriber when the first event is demanded.
    ///
    /// At most one event is read ahead of demand. Cancelling the subscription closes the connection at once.
    ///
    /// - Parameter queue: The queue that delivers the events and the completion.
    /// - Returns: The cold publisher.
    public func publisher(on queue: CallbackQueue = .main) -> AnyPublisher<ServerSentEvent, NetworkError> {
        SequencePublisher(queue: queue, sequence: TypedElements(self)).eraseToAnyPublisher()
    }
}

extension APIClient {
    /// Returns a publisher of the values that an endpoint streams, on the client's callback queue.
    ///
    /// For the supported framings see ``/SimorghCore/APIClient/asyncStreamRequest(_:as:limit:)``.
    ///
    /// - Parameters:
    ///   - router: The endpoint.
    ///   - type: The model of a value.
    ///   - limit: The maximum size of a value, in bytes. Default: 1 MiB.
    /// - Returns: A cold publisher: one call per subscriber, with at most one value read ahead of demand.
    public func streamRequest<Model: Decodable & Sendable>(
        _ router: some NetworkRouter, as type: Model.Type = Model.self, limit: Int = 1024 * 1024
    ) -> AnyPublisher<Model, NetworkError> {
        asyncStreamRequest(router, as: type, limit: limit).publisher(on: configuration.callbackQueue)
    }
}
