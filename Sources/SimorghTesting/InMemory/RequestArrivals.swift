// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// An asynchronous sequence of the requests of a ``StubServer``, beginning with the first.
public struct RequestArrivals: AsyncSequence, Sendable {
    /// A request that has arrived.
    public typealias Element = RecordedRequest
    /// The sequence ends only when the task is cancelled, with `CancellationError`.
    public typealias Failure = any Error

    let recorder: RequestRecorder

    /// Creates an iterator that begins with the first request.
    public func makeAsyncIterator() -> Iterator { Iterator(recorder: recorder) }

    /// An iterator over the requests.
    public struct Iterator: AsyncIteratorProtocol {
        let recorder: RequestRecorder
        var index = 0

        /// Waits for the next request.
        ///
        /// - Parameter actor: The isolation of the caller.
        /// - Returns: The next request; `nil` only after the last one that is kept.
        /// - Throws: `CancellationError` if the task is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws -> RecordedRequest? {
            do {
                let request = try await recorder.request(at: index)
                index += 1
                return request
            } catch is RequestRecorder.NotRecordedError {
                return nil
            }
        }
    }
}
