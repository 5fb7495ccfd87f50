// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
public import SimorghREST
import SimorghSupport

extension Pages {
    /// Returns a publisher of the pages, which requests the first page when the first element is demanded.
    ///
    /// At most one page is read ahead of demand, to detect the end. Cancelling the subscription cancels the request.
    ///
    /// - Parameter queue: The queue that delivers the pages and the completion.
    /// - Returns: The cold publisher.
    public func publisher(on queue: CallbackQueue = .main) -> AnyPublisher<Element, NetworkError> {
        SequencePublisher(queue: queue, sequence: TypedElements(self)).eraseToAnyPublisher()
    }
}

extension PageElements {
    /// Returns a publisher of the items, which requests the first page when the first element is demanded.
    ///
    /// At most one item is read ahead of demand, to detect the end. Cancelling the subscription cancels the request.
    ///
    /// - Parameter queue: The queue that delivers the items and the completion.
    /// - Returns: The cold publisher.
    public func publisher(on queue: CallbackQueue = .main) -> AnyPublisher<Element, NetworkError> {
        SequencePublisher(queue: queue, sequence: TypedElements(self)).eraseToAnyPublisher()
    }
}
