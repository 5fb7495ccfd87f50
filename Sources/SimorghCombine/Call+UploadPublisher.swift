// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

extension Call {
    /// The call as a publisher of its progress, and at last its value: cold, one exchange for each subscriber.
    ///
    /// A subscriber that asks for little misses progress, but never the last, nor the value.
    ///
    /// - Parameter queue: Where events and the end are delivered; the client's ``/SimorghCore/APIClient/Configuration/callbackQueue`` by
    ///   default.
    /// - Returns: The publisher.
    public func uploadPublisher(on queue: CallbackQueue? = nil) -> AnyPublisher<UploadEvent<Output>, NetworkError> {
        uploadEvents().publisher(on: queue ?? settings.configuration.callbackQueue)
    }
}

extension UploadEvents {
    /// The events as a publisher: cold, one upload for each subscriber.
    ///
    /// - Parameter queue: Where events and the end are delivered; the main queue by default.
    /// - Returns: The publisher.
    public func publisher(on queue: CallbackQueue = .main) -> AnyPublisher<UploadEvent<Value>, NetworkError> {
        SequencePublisher(queue: queue, sequence: TypedElements(self)).eraseToAnyPublisher()
    }
}
