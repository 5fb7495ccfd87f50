// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The state machine of a resumable upload: decides the next step after each event, without I/O.
package struct ResumableUploadStateMachine: Sendable {
    package enum Action: Equatable, Sendable {
        /// Create the upload resource, and send the first bytes with the request if the protocol supports it.
        case create
        /// Ask the server for the current offset.
        case requestOffset
        /// Send `count` bytes from an offset.
        case send(offset: Int64, count: Int64)
        /// Wait, then call `didWait()`.
        case wait(Duration)
        /// Remove the stored record.
        case forget
        /// Give up the upload resource, but keep its record until there is another resource.
        case abandon
        /// The upload is complete.
        case finish
        /// The upload failed permanently, with the last error.
        case fail
    }

    package private(set) var length: Int64
    /// True if a final request must mark the upload as complete even if the server already has all bytes.
    package let completesBySending: Bool
    package let retries: Int
    package let delay: Duration
    package let maximumDelay: Duration
    /// The largest number of bytes per request; the server can lower it.
    package var chunkSize: Int64?

    private var hasResource = false
    /// True if the upload resource is from an earlier run and the server has not reported its offset yet.
    private var isInherited = false
    /// The offset of the server, as far as it is known.
    private var current: Int64 = 0
    /// The highest offset that the server ever reported.
    private var highest: Int64 = 0
    private var failures = 0
    /// The number of upload resources lost in this run.
    ///
    /// Progress in a new resource does not reset it.
    private var losses = 0

    package init(
        length: Int64,
        chunkSize: Int64?,
        completesBySending: Bool = false,
        retries: Int,
        delay: Duration,
        maximumDelay: Duration
    ) {
        self.length = length
        self.chunkSize = chunkSize
        self.completesBySending = completesBySending
        self.retries = retries
        self.delay = delay
        self.maximumDelay = maximumDelay
    }

    /// Returns the number of bytes for a request that starts at an offset.
    package func count(from offset: Int64) -> Int64 { min(length - offset, max(1, chunkSize ?? Int64.max)) }

    package func start() -> Action { hasResource ? .requestOffset : .create }

    /// The server has created the upload resource.
    ///
    /// - Parameter earlier: True if that was in an earlier run.
    package mutating func didCreateResource(earlier: Bool = false) {
        hasResource = true
        isInherited = earlier
    }

    /// The server reported its offset.
    package mutating func didReportOffset(_ offset: Int64) -> Action {
        didCreateResource()
        guard (0...length).contains(offset) else { return .fail }
        current = offset
        // Only a new maximum counts as progress, so that a server that keeps losing bytes does not cause endless
        // retries.
        if offset > highest {
            highest = offset
            failures = 0
        }
        if offset == length, !completesBySending { return .finish }
        return .send(offset: offset, count: count(from: offset))
    }

    /// The server accepted the bytes up to an offset.
    package mutating func didAccept(upTo offset: Int64) -> Action {
        guard offset > current else {
            // The server reported success but stored nothing.
            failures += 1
            return failures <= retries ? .requestOffset : .fail
        }
        return didReportOffset(offset)
    }

    /// The server reported that the upload is complete.
    package func didComplete() -> Action { .finish }

    /// The attempt failed with a transient error: the connection was lost, or the server is busy.
    ///
    /// - Parameter delay: The wait that the server requested.
    /// - Returns: A wait or a failure.
    package mutating func didFail(after delay: Duration? = nil) -> Action {
        failures += 1
        guard failures <= retries else { return .fail }
        if let delay { return delay <= maximumDelay ? .wait(delay) : .fail }
        // After thirty doublings every delay is above the maximum.
        let doubled = self.delay * (1 << min(failures - 1, 30))
        return .wait(min(doubled, maximumDelay))
    }

    /// The wait has ended.
    package func didWait() -> Action { start() }

    /// The server reported another offset or damaged bytes: ask for the offset again, within the retry limit.
    package mutating func didConflict() -> [Action] {
        failures += 1
        return [failures <= retries ? .requestOffset : .fail]
    }

    /// The server does not know the upload any more: all sent bytes are lost.
    ///
    /// If the upload resource was from an earlier run, this does not count as a failure of this run, which may have no
    /// retries.
    ///
    /// - Parameter isCertain: True if the server said so explicitly; false if its response can have another reason.
    /// - Returns: The next steps, in order.
    package mutating func didLoseResource(isCertain: Bool = true) -> [Action] {
        let first = isCertain ? Action.forget : .abandon
        let wasInherited = isInherited
        (hasResource, isInherited) = (false, false)
        (current, highest) = (0, 0)
        if wasInherited { return [first, .create] }
        failures += 1
        losses += 1
        return max(failures, losses) <= retries ? [first, .create] : [first, .fail]
    }

    /// The file was changed.
    package mutating func didChangeFile(length: Int64) -> [Action] {
        self.length = length
        return didLoseResource()
    }
}
