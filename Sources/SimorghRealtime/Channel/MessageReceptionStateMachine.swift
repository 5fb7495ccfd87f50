// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Decides how the messages of a WebSocket connection are received: whole, in fragments, or not at all.
///
/// A message larger than the limit cannot be received whole. The waiting caller decides whether it arrives in fragments
/// or fails; if no caller waits, reading stops until one does. After this side has sent a close frame, such a message and
/// all messages after it are discarded.
package struct MessageReceptionStateMachine: Sendable, Hashable {
    /// The way in which messages are received.
    package enum State: Sendable, Hashable {
        /// Whole.
        case whole
        /// The next message in fragments, for which a caller waits; the messages after it whole.
        case nextInFragments
        /// Reading has stopped in a message over the limit, because no caller has said how it wants it.
        case undecided
        /// All messages are discarded.
        case discarding
    }

    /// The choice of the waiting caller.
    package enum Choice: Sendable, Hashable {
        case whole, fragments
        /// No caller waits.
        case none
    }

    /// The action for the current message.
    package enum Action: Sendable, Hashable {
        case none
        /// Deliver the received bytes as a fragment, and the rest in further fragments.
        case deliverFragments
        /// Fail the connection: the message is too large.
        case fail
        /// Discard the message.
        case discard
        /// Check the limit again.
        case checkLimit
    }

    package private(set) var state = State.whole
    package var isUndecided: Bool { state == .undecided }
    package var isDiscarding: Bool { state == .discarding }

    package init() {}

    /// A message begins.
    ///
    /// - Returns: True if it is received in fragments.
    package mutating func messageBegan() -> Bool {
        guard state == .nextInFragments else { return false }
        state = .whole
        return true
    }

    /// The current message exceeds the limit.
    ///
    /// - Parameters:
    ///   - choice: The choice of the waiting caller.
    ///   - isOpen: False after this side has sent a close frame.
    /// - Returns: The action.
    package mutating func limitExceeded(choice: Choice, isOpen: Bool) -> Action {
        guard isOpen else { return discard() }
        switch choice {
        case .fragments: return .deliverFragments
        case .whole: return .fail
        case .none:
            state = .undecided
            return .none
        }
    }

    /// A caller waits for a message.
    ///
    /// - Parameters:
    ///   - choice: Its choice; it may have left already.
    ///   - isInMessage: True if part of a message has arrived.
    /// - Returns: The action.
    package mutating func callerArrived(choice: Choice, isInMessage: Bool) -> Action {
        switch state {
        case .undecided:
            state = .whole
            return .checkLimit
        case .whole, .nextInFragments:
            guard choice == .fragments else { return .none }
            if isInMessage { return .deliverFragments }
            state = .nextInFragments
            return .none
        case .discarding: return .none
        }
    }

    /// This side has sent a close frame: a message that waits for a decision is not needed any more.
    ///
    /// - Returns: The action.
    package mutating func closeFrameSent() -> Action { state == .undecided ? discard() : .none }

    /// Messages were dropped: all later ones are discarded.
    ///
    /// - Returns: The action.
    @discardableResult
    package mutating func discard() -> Action {
        state = .discarding
        return .discard
    }

    /// The connection reads no more messages, so no decision is outstanding.
    package mutating func stopped() { if state == .undecided { state = .whole } }
}
