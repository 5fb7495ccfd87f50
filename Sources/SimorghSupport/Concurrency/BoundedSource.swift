// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// Performance: public, since the compiler does not specialize `package` generics of another target. Users do not see
// this target.

/// A bounded queue with its single waiting reader and its end: a value that its owner keeps under a lock.
///
/// It resumes no continuation itself: it returns what to resume, for the owner to do after releasing the lock.
public struct BoundedSource<Item: BoundedItem, Failure: Error>: Sendable {
    /// The queue of the items.
    public typealias Queue = BoundedQueue<Item>
    /// The result of a read: the next item, `nil` at the end, or an error.
    public typealias Taken = Result<Item?, Failure>
    /// A waiting reader.
    ///
    /// It is not a checked continuation, which would allocate an object per wait: the owner removes it under the
    /// lock before it resumes it, so it is resumed once.
    public typealias Reader = UnsafeContinuation<Taken, Never>

    /// A reader with the result to resume it with.
    public struct Wake: Sendable {
        @usableFromInline let reader: Reader
        @usableFromInline let taken: Taken

        /// Creates a pair of a reader and its result.
        @inlinable
        public init(reader: Reader, taken: Taken) {
            self.reader = reader
            self.taken = taken
        }

        /// Resumes the reader.
        @inlinable public func resume() { reader.resume(returning: taken) }
    }

    /// The queued items.
    public var queue: Queue
    /// The error to throw once, after all items have been read.
    public var failure: Failure?
    /// The result of each read after that; `nil` while the source is open.
    public var end: Taken?
    @usableFromInline var reader: Reader?
    /// Distinguishes a wait from the next one, so that a late cancellation cannot cancel the wrong wait.
    @usableFromInline var lastWait: UInt64 = 0
    @usableFromInline var waitOfReader: UInt64 = 0

    /// Creates a source with a queue.
    public init(_ queue: Queue) { self.queue = queue }

    /// True if the source has ended and no more items arrive.
    @inlinable public var isOver: Bool { end != nil }
    /// True if a reader is waiting.
    @inlinable public var isAwaited: Bool { reader != nil }

    /// Removes and returns the waiting reader.
    @inlinable public mutating func takeReader() -> Reader? { reader.take() }

    /// Returns the next result; `nil` if the reader has to wait.
    @inlinable public mutating func take() -> Taken? { queue.popFirst().map { .success($0) } ?? ending() }

    /// Returns the result after the last item; `nil` if the source is open.
    @inlinable public mutating func ending() -> Taken? { failure.take().map(Result.failure) ?? end }

    /// Returns the number of a wait that is about to begin.
    @inlinable
    public mutating func nextWait() -> UInt64 {
        lastWait += 1
        return lastWait
    }

    /// Returns the next result, or registers the reader.
    ///
    /// - Parameters:
    ///   - reader: The reader, whose task calls this method.
    ///   - wait: The number of the wait.
    ///   - busy: The result if another reader is waiting.
    ///   - cancelled: The result if the task is cancelled; `nil` if the cancellation ends the source.
    /// - Returns: The result; `nil` if the reader is waiting now.
    @inlinable
    public mutating func read(
        _ reader: Reader, wait: UInt64 = 0, busy: @autoclosure () -> Taken, cancelled: @autoclosure () -> Taken? = nil
    ) -> Taken? {
        if Task.isCancelled, let taken = cancelled() { return taken }
        if let taken = take() { return taken }
        if isAwaited { return busy() }
        self.reader = reader
        waitOfReader = wait
        return nil
    }

    /// Removes and returns the reader of a wait, if that has not ended.
    @inlinable
    public mutating func cancel(wait: UInt64) -> Reader? { waitOfReader == wait ? reader.take() : nil }

    /// Ends the source, unless it has ended; queued items can still be read.
    ///
    /// - Parameters:
    ///   - failure: The error to throw once, before the end.
    ///   - end: The result of each read after that.
    /// - Returns: The reader to resume.
    public mutating func finish(_ failure: Failure? = nil, end: Taken = .success(nil)) -> Wake? {
        if self.end == nil {
            self.failure = failure ?? self.failure
            self.end = end
        }
        return wakeAtEnd()
    }

    /// Removes the waiting reader and returns it with the end or the failure; `nil` if the source is open or has no
    /// reader.
    public mutating func wakeAtEnd() -> Wake? {
        guard let reader, let taken = ending() else { return nil }
        self.reader = nil
        return Wake(reader: reader, taken: taken)
    }

    /// Suspends a reader until it is resumed.
    ///
    /// - Parameters:
    ///   - begin: Registers the reader under the owner's lock, unless it returns a result at once.
    ///   - onCancel: Removes the reader, and returns it with its result.
    /// - Returns: The result.
    @inlinable
    @inline(__always)
    public static func suspend(
        _ begin: (Reader) -> Taken?, onCancel: @Sendable () -> Wake?
    ) async -> Taken {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { reader in
                if let taken = begin(reader) { reader.resume(returning: taken) }
            }
        } onCancel: {
            onCancel()?.resume()
        }
    }
}
