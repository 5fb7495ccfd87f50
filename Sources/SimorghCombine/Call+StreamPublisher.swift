// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

extension StreamedElements where Base: Sendable {
    /// The elements as a publisher: cold, a call for each subscriber, and begun when an element is asked for.
    ///
    /// No more than one element is read ahead of demand, to see whether it is the end. Cancelling the subscription closes the exchange at once.
    ///
    /// - Parameter queue: Where elements and the end are delivered.
    /// - Returns: The publisher.
    public func publisher(on queue: CallbackQueue = .main) -> AnyPublisher<Element, NetworkError> {
        SequencePublisher(queue: queue, sequence: TypedElements(self)).eraseToAnyPublisher()
    }
}

extension EventSource {
    /// The events as a publisher: cold, connections of its own for each subscriber, and begun when an event is asked for.
    ///
    /// No more than one event is read ahead of demand. Cancelling the subscription closes the connection at once.
    ///
    /// - Parameter queue: Where events and the end are delivered.
    /// - Returns: The publisher.
    public func publisher(on queue: CallbackQueue = .main) -> AnyPublisher<ServerSentEvent, NetworkError> {
        SequencePublisher(queue: queue, sequence: TypedElements(self)).eraseToAnyPublisher()
    }
}

extension APIClient {
    /// The values that an endpoint streams, for each subscriber, on the client's callback queue.
    ///
    /// They may be framed as ``/SimorghCore/APIClient/asyncStreamRequest(_:as:limit:)`` says.
    ///
    /// - Parameters:
    ///   - router: The endpoint.
    ///   - type: The model of a value.
    ///   - limit: The longest value to accept, in bytes; 1 MiB by default.
    /// - Returns: The publisher: cold, a call for each subscriber, and no more than one value read ahead of demand.
    public func streamRequest<Model: Decodable & Sendable>(
        _ router: some NetworkRouter, as type: Model.Type = Model.self, limit: Int = 1024 * 1024
    ) -> AnyPublisher<Model, NetworkError> {
        asyncStreamRequest(router, as: type, limit: limit).publisher(on: configuration.callbackQueue)
    }
}
