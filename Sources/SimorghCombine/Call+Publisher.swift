// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension Call {
    /// Returns a publisher that makes the call for each subscriber, publishes one value and then finishes.
    ///
    /// Cancelling the subscription cancels the exchange at once.
    ///
    /// - Parameter queue: The queue that delivers the value and the completion. Default: the client's
    ///   ``/SimorghCore/APIClient/Configuration/callbackQueue``, which is the main queue unless configured, because a
    ///   closure that is written in main-actor code and passed to `sink` traps if it is called elsewhere.
    /// - Returns: The cold publisher.
    public func publisher(on queue: CallbackQueue? = nil) -> AnyPublisher<Output, NetworkError> {
        WorkPublisher(queue: queue ?? settings.configuration.callbackQueue) { await result() }.eraseToAnyPublisher()
    }

    /// Returns a publisher of the call's decoded JSON.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - keyPath: The key path of the value. Default: the whole body.
    ///   - queue: The queue that delivers the value and the completion. Default: the client's
    ///     ``/SimorghCore/APIClient/Configuration/callbackQueue``.
    /// - Returns: The publisher.
    public func publisher<Model: Decodable & Sendable>(
        _ type: Model.Type, at keyPath: DecodableKeyPath = [], on queue: CallbackQueue? = nil
    ) -> AnyPublisher<Model, NetworkError> {
        decoding(.decodable(type, at: keyPath)).publisher(on: queue)
    }
}
