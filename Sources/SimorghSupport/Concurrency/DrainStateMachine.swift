// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Counts running operations, and refuses new ones from the beginning of a drain on: the state of a ``DrainGate``.
package struct DrainStateMachine: Sendable {
    /// The phases, in the order in which they follow each other.
    package enum Phase: Sendable, Equatable {
        /// Every operation may begin.
        case open
        /// Running operations may end, and begin the operations that they need.
        case draining
        /// No operation may begin.
        case over
    }

    /// A kind of operation.
    package enum Kind: Sendable, Equatable {
        /// A call whose response is collected.
        case call
        /// A call whose caller reads the response body.
        case stream
        /// A connection of an event source. It never ends by itself, so no drain waits for it.
        case eventSource
        /// A request of a download queue, which is a member of the gate: a drain waits for the queue.
        case download

        /// True if a drain waits for the end of the operation.
        var isAwaited: Bool { self == .call || self == .stream }
    }

    package private(set) var phase = Phase.open
    package private(set) var calls = 0
    package private(set) var streams = 0
    package private(set) var eventSources = 0

    package init() {}

    /// True if no operation runs that a drain waits for.
    package var isIdle: Bool { calls == 0 && streams == 0 }

    /// Counts an operation that begins.
    ///
    /// - Parameters:
    ///   - kind: The kind of operation.
    ///   - isNested: True if a running operation needs this one, such as the refresh of its token.
    /// - Returns: `false` if the operation is refused.
    package mutating func enter(_ kind: Kind, isNested: @autoclosure () -> Bool) -> Bool {
        if phase != .open {
            // Without a running operation the mark of a nested one is left over from an operation that has ended.
            guard phase == .draining, kind.isAwaited, !isIdle, isNested() else { return false }
        }
        change(kind, by: 1)
        return true
    }

    /// Counts an operation that has ended.
    ///
    /// - Returns: True if a drain may wait for this.
    package mutating func leave(_ kind: Kind) -> Bool {
        change(kind, by: -1)
        return phase != .open && isIdle
    }

    /// Begins the drain; returns `false` if it has begun before.
    package mutating func begin() -> Bool {
        guard phase == .open else { return false }
        phase = .draining
        return true
    }

    /// Ends the drain; returns `false` if it has ended before.
    package mutating func end() -> Bool {
        guard phase != .over else { return false }
        phase = .over
        return true
    }

    private mutating func change(_ kind: Kind, by difference: Int) {
        switch kind {
        case .call: calls += difference
        case .stream: streams += difference
        case .eventSource: eventSources += difference
        case .download: break
        }
    }
}
