// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
public import SimorghRealtime
import SimorghSupport

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

extension WebSocketConnection {
    /// What happens from the subscription on, for each subscriber; no event is handed over before it is asked for.
    ///
    /// It ends as ``/SimorghRealtime/WebSocketConnection/events(buffer:)`` does. A subscription holds the connection, and
    /// cancelling it closes nothing that others hold.
    ///
    /// - Parameters:
    ///   - buffer: How much is kept for a subscriber that asks slower than the server sends; what the options say by
    ///     default.
    ///   - queue: Where events and the end are delivered.
    /// - Returns: The publisher.
    public func eventPublisher(
        buffer: WebSocketBuffer? = nil, on queue: CallbackQueue = .main
    ) -> AnyPublisher<WebSocketEvent, WebSocketError> {
        Deferred { SequencePublisher(queue: queue, sequence: TypedElements(self.events(buffer: buffer))) }
            .eraseToAnyPublisher()
    }

    /// The messages from the subscription on, each decoded from JSON, for each subscriber; no message is handed over before
    /// it is asked for.
    ///
    /// A message that is something else ends it in ``/SimorghRealtime/WebSocketError/Code/decodingFailed``.
    ///
    /// - Parameters:
    ///   - type: What a message stands for.
    ///   - decoder: Decodes; the client's by default.
    ///   - buffer: How much is kept for a subscriber that asks slower than the server sends; what the options say by
    ///     default.
    ///   - queue: Where messages and the end are delivered.
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
