// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// The events of an upload: its progress, and finally the value.
///
/// The sequence is cold: each iteration makes the call again. Leaving the loop, or cancelling its task, stops the
/// upload immediately. If the loop is slow, only the newest progress is kept for it, but it always gets the last
/// progress and the value.
/// ```swift
/// for try await event in client.upload(AddPhoto(), formFields: fields).uploadEvents() {
///     print("\(Int(event.fraction * 100)) %")
/// }
/// ```
public struct UploadEvents<Value: Sendable>: AsyncSequence, Sendable {
    /// Progress, or the value.
    public typealias Element = UploadEvent<Value>
    /// The error that the call throws: a ``NetworkError``.
    public typealias Failure = any Error

    private let run: @Sendable (@escaping @Sendable (UploadProgress) -> Void) async throws(NetworkError) -> Value

    /// Creates the events of an upload.
    ///
    /// - Parameter run: Runs the upload, and reports the final progress before it returns a value.
    package init(
        _ run: @escaping @Sendable (@escaping @Sendable (UploadProgress) -> Void) async throws(NetworkError) -> Value
    ) { self.run = run }

    /// Returns an iterator.
    ///
    /// It starts the upload when the first event is requested.
    public func makeAsyncIterator() -> Iterator { Iterator(run: run) }

    /// One upload and its events.
    public struct Iterator: AsyncIteratorProtocol, TypedIterator {
        fileprivate let run:
            @Sendable (@escaping @Sendable (UploadProgress) -> Void) async throws(NetworkError) -> Value
        private var owner: Owner?

        fileprivate init(
            run: @escaping @Sendable (@escaping @Sendable (UploadProgress) -> Void) async throws(NetworkError) -> Value
        ) { self.run = run }

        /// Returns the next event, or `nil` after the value.
        ///
        /// - Parameter actor: The isolation of the caller.
        /// - Returns: The event.
        /// - Throws: ``NetworkError``, also for a cancelled task.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws -> UploadEvent<Value>? {
            try await typedNext(isolation: actor)
        }

        @inline(__always)
        package mutating func typedNext(isolation actor: isolated (any Actor)?) async throws(NetworkError)
            -> UploadEvent<Value>?
        {
            let owner = self.owner ?? Owner(run)
            self.owner = owner
            return try await owner.mailbox.next(cancelling: owner.task)
        }
    }

    /// Runs the upload while the iterator exists.
    private final class Owner: Sendable {
        let mailbox: Mailbox
        let task: Task<Void, Never>

        init(
            _ run:
                @escaping @Sendable (@escaping @Sendable (UploadProgress) -> Void) async throws(NetworkError) -> Value
        ) {
            let mailbox = Mailbox()
            self.mailbox = mailbox
            task = Task {
                do throws(NetworkError) {
                    mailbox.end(.success(try await run { mailbox.put($0) }))
                } catch {
                    mailbox.end(.failure(error))
                }
            }
        }

        deinit { task.cancel() }
    }

    /// A buffer for a slow reader: the newest progress and the outcome.
    private final class Mailbox: Sendable {
        private struct State {
            var progress: UploadProgress?
            var outcome: Result<Value, NetworkError>?
            var waiter: CheckedContinuation<Void, Never>?
            var isOver = false
        }

        private let state = Mutex(State())

        func put(_ progress: UploadProgress) {
            state.withLock { state -> CheckedContinuation<Void, Never>? in
                // After a failure, the task that sends the body can still report progress: ignore it after the error.
                guard state.outcome == nil, !state.isOver else { return nil }
                state.progress = progress
                return state.waiter.take()
            }?.resume()
        }

        func end(_ outcome: Result<Value, NetworkError>) {
            state.withLock { state in
                state.outcome = outcome
                return state.waiter.take()
            }?.resume()
        }

        func next(cancelling task: Task<Void, Never>) async throws(NetworkError) -> UploadEvent<Value>? {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isReady = state.withLock { state in
                        // A second reader at the same time is a misuse; it must not wait forever.
                        guard state.progress == nil, state.outcome == nil, state.waiter == nil, !state.isOver else {
                            return true
                        }
                        state.waiter = continuation
                        return false
                    }
                    if isReady { continuation.resume() }
                }
            } onCancel: {
                task.cancel()
            }
            let (progress, outcome) = state.withLock { state -> (UploadProgress?, Result<Value, NetworkError>?) in
                if let progress = state.progress.take() { return (progress, nil) }
                state.isOver = state.outcome != nil || state.isOver
                return (nil, state.outcome.take())
            }
            if let progress { return .progress(progress) }
            guard let outcome else { return nil }
            return .value(try outcome.get())
        }
    }
}
