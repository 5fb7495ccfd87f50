// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// Performance: public, because the compiler specializes no generic of another target that is `package`. No user sees this target.

/// A bounded queue, the one reader that waits for its next item, and how it ends: a value that its owner keeps under a lock.
///
/// Nothing here resumes a continuation: what is to be resumed is returned, for after the lock.
public struct BoundedSource<Item: BoundedItem, Failure: Error>: Sendable {
    /// The queue of the items.
    public typealias Queue = BoundedQueue<Item>
    /// The result of a read: the next item, `nil` at the end, or an error.
    public typealias Taken = Result<Item?, Failure>
    /// A reader that waits.
    ///
    /// It is no checked continuation, which costs an object for each wait: the one who resumes it has taken it out under the
    /// lock.
    public typealias Reader = UnsafeContinuation<Taken, Never>

    /// A reader, and what to resume it with.
    public struct Wake: Sendable {
        @usableFromInline let reader: Reader
        @usableFromInline let taken: Taken

        /// Creates a pair of a reader and its result.
        @inlinable
        public init(_ reader: Reader, _ taken: Taken) {
            self.reader = reader
            self.taken = taken
        }

        /// Resumes the reader.
        @inlinable public func resume() { reader.resume(returning: taken) }
    }

    /// The items that are kept.
    public var queue: Queue
    /// The error that is thrown once, as soon as all items are taken.
    public var failure: Failure?
    /// The result of each read after that; `nil` while more may come.
    public var end: Taken?
    @usableFromInline var reader: Reader?
    /// Tells a wait from the next: a late cancellation finds its own wait or none.
    @usableFromInline var lastWait: UInt64 = 0
    @usableFromInline var waitOfReader: UInt64 = 0

    /// Creates a source of a queue.
    public init(_ queue: Queue) { self.queue = queue }

    /// True if nothing more comes.
    @inlinable public var isOver: Bool { end != nil }
    /// True if a reader waits.
    @inlinable public var isAwaited: Bool { reader != nil }

    /// Takes out the reader that waits.
    @inlinable public mutating func takeReader() -> Reader? { reader.take() }

    /// Takes what is there; `nil` if it has to be waited for.
    @inlinable public mutating func take() -> Taken? { queue.popFirst().map { .success($0) } ?? ending() }

    /// Takes what comes after the last item.
    @inlinable public mutating func ending() -> Taken? { failure.take().map(Result.failure) ?? end }

    /// Numbers a wait that is about to begin.
    @inlinable
    public mutating func nextWait() -> UInt64 {
        lastWait += 1
        return lastWait
    }

    /// Takes what is there, or begins to wait.
    ///
    /// - Parameters:
    ///   - reader: The reader, whose task runs this.
    ///   - wait: The number of the wait.
    ///   - busy: The result if another reader waits.
    ///   - cancelled: The result if the task is cancelled; `nil` if the cancellation ends the source.
    /// - Returns: The result; `nil` if the reader waits now.
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

    /// Ends a wait, if it still goes on.
    @inlinable
    public mutating func cancel(wait: UInt64) -> Reader? { waitOfReader == wait ? reader.take() : nil }

    /// Ends it, unless it has ended: what is kept can still be read.
    ///
    /// - Parameters:
    ///   - failure: The error that is thrown once, before the end.
    ///   - end: The result of each read after that.
    /// - Returns: The reader to resume.
    public mutating func finish(_ failure: Failure? = nil, end: Taken = .success(nil)) -> Wake? {
        if self.end == nil {
            self.failure = failure ?? self.failure
            self.end = end
        }
        return wakeAtEnd()
    }

    /// Takes out the reader that waits, if all has been taken and there is an end or a failure to tell.
    public mutating func wakeAtEnd() -> Wake? {
        guard let reader, let taken = ending() else { return nil }
        self.reader = nil
        return Wake(reader, taken)
    }

    /// Suspends a reader until it is resumed.
    ///
    /// - Parameters:
    ///   - begin: Lets the reader wait, under the owner's lock, unless there is a result at once.
    ///   - onCancel: Takes the reader out again, and says what it reads.
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
