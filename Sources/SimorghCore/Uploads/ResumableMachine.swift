// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What a resumable upload does next, after each thing that can happen; without a byte of I/O.
package struct ResumableMachine: Sendable {
    package enum Action: Equatable, Sendable {
        /// Ask the server for a place, and send the first bytes with that where the protocol does so.
        case create
        /// Ask the server what it has.
        case ask
        /// Send so many bytes from an offset on.
        case send(offset: Int64, count: Int64)
        /// Wait, then say so.
        case wait(Duration)
        /// Strike off what is written down.
        case forget
        /// Leave the place, and keep what is written down of it until there is another.
        case leave
        /// All is there.
        case finish
        /// It failed for good, with the last error.
        case fail
    }

    package private(set) var length: Int64
    /// Whether the end has to be said even where all bytes are there.
    package let completesBySending: Bool
    package let retries: Int
    package let delay: Duration
    package let maximumDelay: Duration
    /// The most bytes at a time; the server may lower it.
    package var chunkSize: Int64?

    private var hasPlace = false
    /// True if the place is that of an earlier run, and the server has not said yet how much it has.
    private var isInherited = false
    /// What the server has as far as we know.
    private var current: Int64 = 0
    /// The most that the server was known to have.
    private var highest: Int64 = 0
    private var failures = 0
    /// The number of places of this run that were lost; a byte gained in the next one does not reset it.
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

    /// How many bytes go into a request that begins at an offset.
    package func count(from offset: Int64) -> Int64 { min(length - offset, max(1, chunkSize ?? Int64.max)) }

    package func began() -> Action { hasPlace ? .ask : .create }

    /// The server has made a place.
    ///
    /// - Parameter earlier: Whether that was in an earlier run.
    package mutating func gotPlace(earlier: Bool = false) {
        hasPlace = true
        isInherited = earlier
    }

    /// The server was asked how much it has.
    package mutating func has(_ offset: Int64) -> Action {
        gotPlace()
        guard (0...length).contains(offset) else { return .fail }
        current = offset
        // Only what it never had before is a gain: one that loses bytes again and again is not asked for ever.
        if offset > highest {
            highest = offset
            failures = 0
        }
        if offset == length, !completesBySending { return .finish }
        return .send(offset: offset, count: count(from: offset))
    }

    /// The server took what was sent, up to an offset.
    package mutating func accepted(_ offset: Int64) -> Action {
        guard offset > current else {
            // It says yes and takes nothing.
            failures += 1
            return failures <= retries ? .ask : .fail
        }
        return has(offset)
    }

    /// The server says that all is there.
    package func isComplete() -> Action { .finish }

    /// It did not work this time: the connection was lost, or the server is busy.
    ///
    /// - Parameter after: How long the server wants us to wait.
    /// - Returns: A wait, or the end.
    package mutating func failed(after: Duration? = nil) -> Action {
        failures += 1
        guard failures <= retries else { return .fail }
        if let after { return after <= maximumDelay ? .wait(after) : .fail }
        // Past thirty doublings every delay is the longest.
        let doubled = delay * (1 << min(failures - 1, 30))
        return .wait(min(doubled, maximumDelay))
    }

    /// The wait is over.
    package func waited() -> Action { began() }

    /// The server has something else than what we hold for it, or damaged bytes came: ask again, and not for ever.
    package mutating func conflicted() -> [Action] {
        failures += 1
        return [failures <= retries ? .ask : .fail]
    }

    /// The server knows nothing of the upload: all that was sent counts for nothing.
    ///
    /// That an upload of an earlier run is gone by now is no failure of this one, which may have no retries.
    ///
    /// - Parameter isCertain: Whether it said so, rather than something that may have another reason.
    /// - Returns: What to do, one after the other.
    package mutating func lostPlace(isCertain: Bool = true) -> [Action] {
        let first = isCertain ? Action.forget : .leave
        let wasInherited = isInherited
        (hasPlace, isInherited) = (false, false)
        (current, highest) = (0, 0)
        if wasInherited { return [first, .create] }
        failures += 1
        losses += 1
        return max(failures, losses) <= retries ? [first, .create] : [first, .fail]
    }

    /// The file is another one now.
    package mutating func fileChanged(length: Int64) -> [Action] {
        self.length = length
        return lostPlace()
    }
}
