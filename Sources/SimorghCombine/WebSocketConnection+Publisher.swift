// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
public import SimorghRealtime
import SimorghSupport

extension WebSocketConnection {
    /// Returns a publisher of the events after each subscription, delivered on demand.
    ///
    /// It ends as ``/SimorghRealtime/WebSocketConnection/events(buffer:)`` does. A subscription retains the connection;
    /// cancelling it does not close a connection that is retained elsewhere.
    ///
    /// - Parameters:
    ///   - buffer: The buffer for a subscriber that is slower than the server. Default: that of the connection's
    ///     options.
    ///   - queue: The queue that delivers the events and the completion.
    /// - Returns: The publisher.
    public func eventPublisher(
        buffer: WebSocketBuffer? = nil, on queue: CallbackQueue = .main
    ) -> AnyPublisher<WebSocketEvent, WebSocketError> {
        Deferred { SequencePublisher(queue: queue, sequence: TypedElements(self.events(buffer: buffer))) }
            .eraseToAnyPublisher()
    }

    /// Returns a publisher of the messages after each subscription, decoded from JSON and delivered on demand.
    ///
    /// A message that cannot be decoded ends it with ``/SimorghRealtime/WebSocketError/Code/decodingFailed``.
    ///
    /// - Parameters:
    ///   - type: The model of a message.
    ///   - decoder: The decoder. Default: the client's.
    ///   - buffer: The buffer for a subscriber that is slower than the server. Default: that of the connection's
    ///     options.
    ///   - queue: The queue that delivers the messages and the completion.
    /// - Returns: The publisher.
    public func messagePublisher<Model: Decodable & Sendable>(
        of type: Model.Type = Model.self, decoder: JSONDecoder? = nil, buffer: WebSocketBuffer? = nil,
        on queue: CallbackQueue = .main
    ) -> AnyPublisher<Model, WebSocketError> {
        Deferred {
            SequencePublisher(
                queue: queue, sequence: TypedElements(self.messages(of: type, decoder: decoder, buffer: buffer)))
        }
        .eraseToAnyPublisher()
    }
}
