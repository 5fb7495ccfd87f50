// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The requests of a ``StubServer`` as they arrive, from the first one on.
public struct RequestArrivals: AsyncSequence, Sendable {
    /// A request that has arrived.
    public typealias Element = RecordedRequest
    /// Only a cancelled task ends the sequence, with `CancellationError`.
    public typealias Failure = any Error

    let recorder: RequestRecorder

    /// Starts at the first request.
    public func makeAsyncIterator() -> Iterator { Iterator(recorder: recorder) }

    /// Gives one request after another.
    public struct Iterator: AsyncIteratorProtocol {
        let recorder: RequestRecorder
        var index = 0

        /// Waits for the next request.
        ///
        /// - Parameter actor: The isolation of the caller.
        /// - Returns: The next request; `nil` only after the last one that is kept.
        /// - Throws: `CancellationError` when the task is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws -> RecordedRequest? {
            do {
                let request = try await recorder.request(at: index)
                index += 1
                return request
            } catch is RequestRecorder.NotRecorded {
                return nil
            }
        }
    }
}
