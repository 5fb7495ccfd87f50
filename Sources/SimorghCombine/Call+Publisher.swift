// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

extension Call {
    /// The call as a publisher: cold, one exchange for each subscriber, one value and then the end.
    ///
    /// Cancelling the subscription stops the exchange at once.
    ///
    /// - Parameter queue: Where values and the end are delivered; the client's
    ///   ``/SimorghCore/APIClient/Configuration/callbackQueue``, the main queue by default, because a closure written in main-actor code
    ///   and given to `sink` traps when it is called elsewhere.
    /// - Returns: The publisher.
    public func publisher(on queue: CallbackQueue? = nil) -> AnyPublisher<Output, NetworkError> {
        WorkPublisher(queue: queue ?? settings.configuration.callbackQueue) { await result() }.eraseToAnyPublisher()
    }

    /// The call as a publisher of its decoded JSON.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - keyPath: The way to the value; the whole body by default.
    ///   - queue: Where values and the end are delivered; the client's ``/SimorghCore/APIClient/Configuration/callbackQueue`` by default.
    /// - Returns: The publisher.
    public func publisher<Model: Decodable & Sendable>(
        _ type: Model.Type, at keyPath: DecodableKeyPath = [], on queue: CallbackQueue? = nil
    ) -> AnyPublisher<Model, NetworkError> {
        decoding(.decodable(type, at: keyPath)).publisher(on: queue)
    }
}
