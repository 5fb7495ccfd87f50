// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if ServiceLifecycle
public import ServiceLifecycle
import Synchronization

/// A service that handles the elements of a stream until the graceful shutdown.
///
/// ```swift
/// let feed = StreamService(client.call(.get, "feed").eventSource()) { event in
///     print(event.data)
/// }
/// ```
/// An element that has been received is handled to the end before ``run()`` returns, unless the task is cancelled.
public struct StreamService<Source: AsyncSequence & Sendable>: Service where Source.Element: Sendable {
    private let stream: Source
    private let handle: @Sendable (Source.Element) async throws -> Void

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - stream: The stream: an event source, the events of a subscription, or another sequence that ends when its
    ///     task is cancelled.
    ///   - handle: Handles an element. Its error ends the service.
    public init(_ stream: Source, handle: @escaping @Sendable (Source.Element) async throws -> Void) {
        self.stream = stream
        self.handle = handle
    }

    /// Handles the elements until the graceful shutdown, or the end of the stream.
    ///
    /// If the task is cancelled, the stream and the handler are cancelled, and this returns when the handler does.
    ///
    /// - Throws: The error of the stream or of the handler.
    public func run() async throws {
        let progress = StreamProgress()
        let reader = Task {
            do {
                for try await element in stream {
                    let isCancelled = progress.begin()
                    // The shutdown may have cancelled this task just as the element arrived.
                    if isCancelled {
                        let work = Task { try await handle(element) }
                        progress.handleLast(in: work)
                        try await work.value
                    } else {
                        try await handle(element)
                    }
                    if progress.end() { return }
                }
            } catch {
                guard progress.endsNormally else { throw error }
            }
        }
        try await withTaskCancellationHandler {
            try await withGracefulShutdownHandler {
                try await reader.value
            } onGracefulShutdown: {
                if progress.stop() { reader.cancel() }
            }
        } onCancel: {
            progress.cancel()
            reader.cancel()
        }
    }
}

/// The state of the loop of a ``StreamService``.
private final class StreamProgress: Sendable {
    private struct State {
        var isHandling = false
        var isStopping = false
        /// True if the shutdown has cancelled the loop.
        var isLoopCancelled = false
        /// True if the task of the service was cancelled.
        var isServiceCancelled = false
        /// The task that handles an element although the loop is cancelled.
        var lastTask: Task<Void, any Error>?
    }

    private let state = Mutex(State())

    /// True if an error of the loop comes from the shutdown, or from the cancellation of the service.
    var endsNormally: Bool { state.withLock { $0.isServiceCancelled || $0.isLoopCancelled && !$0.isHandling } }

    /// Begins to handle an element; returns true if the shutdown has cancelled the loop.
    func begin() -> Bool {
        state.withLock { state in
            state.isHandling = true
            return state.isLoopCancelled
        }
    }

    /// Lets a cancellation of the service reach a task that the cancelled loop waits for.
    func handleLast(in task: Task<Void, any Error>) {
        let isServiceCancelled = state.withLock { state in
            state.lastTask = task
            return state.isServiceCancelled
        }
        if isServiceCancelled { task.cancel() }
    }

    /// Cancels the handling of an element by a cancelled loop.
    func cancel() {
        let task = state.withLock { state in
            state.isServiceCancelled = true
            return state.lastTask
        }
        task?.cancel()
    }

    /// Ends the handling of an element; returns true if the loop must end.
    func end() -> Bool {
        state.withLock { state in
            state.isHandling = false
            return state.isStopping
        }
    }

    /// Makes the loop end; returns true if it must be cancelled, because it waits for an element.
    func stop() -> Bool {
        state.withLock { state in
            state.isStopping = true
            state.isLoopCancelled = !state.isHandling
            return state.isLoopCancelled
        }
    }
}
#endif
