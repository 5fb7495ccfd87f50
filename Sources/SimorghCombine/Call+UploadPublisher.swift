// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

extension Call {
    /// Returns a publisher that makes the call for each subscriber, and publishes its progress and finally its value.
    ///
    /// A subscriber with little demand misses some progress, but never the last progress or the value.
    ///
    /// - Parameter queue: The queue that delivers the events and the completion. Default: the client's
    ///   ``/SimorghCore/APIClient/Configuration/callbackQueue``.
    /// - Returns: The cold publisher.
    public func uploadPublisher(on queue: CallbackQueue? = nil) -> AnyPublisher<UploadEvent<Output>, NetworkError> {
        uploadEvents().publisher(on: queue ?? settings.configuration.callbackQueue)
    }
}

extension UploadEvents {
    /// Returns a cold publisher of the events, with one upload per subscriber.
    ///
    /// - Parameter queue: The queue that delivers the events and the completion. Default: the main queue.
    /// - Returns: The publisher.
    public func publisher(on queue: CallbackQueue = .main) -> AnyPublisher<UploadEvent<Value>, NetworkError> {
        SequencePublisher(queue: queue, sequence: TypedElements(self)).eraseToAnyPublisher()
    }
}
