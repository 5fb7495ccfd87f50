// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// What belongs to a call as a whole, not to one of its requests: every step of the chain finds the same one in
/// ``TransportOptions/call``.
public final class CallContext: Sendable {
    /// Tells the calls of a process apart.
    public struct ID: Sendable, Hashable, CustomStringConvertible {
        /// The number, counted from 1 as calls begin.
        public let rawValue: Int

        /// The number as text.
        public var description: String { String(rawValue) }

        private static let last = Atomic(0)

        package static func next() -> ID { ID(rawValue: last.add(1, ordering: .relaxed).newValue) }
    }

    /// The call's number.
    public let id: ID
    /// How long the call may take with all its attempts and waits; `nil` for no limit.
    package let deadline: Deadline?
    /// Where the call's steps take the time from.
    package let time: TimeSource
    /// Where the call's steps take chance from.
    package let random: RandomSource
    /// The client that makes the call, for steps that hand it to the user's code.
    package let owner: (any AnyObject & Sendable)?
    /// Where the call's client has its base URL.
    package let base: Base
    /// Who watches the call; `nil` for nobody.
    package let watcher: CallRecord?
    private let sent = Atomic(0)
    private let repeated = Atomic(0)
    private let answered = Atomic(0)
    private let noted = Mutex<Redactor?>(nil)
    /// The call whose request this one's exchange is shared with, which counts with it.
    private let first: CallContext?

    /// The origin that a client's credentials are for.
    package enum Base: Sendable, Hashable {
        /// There is no base URL.
        case anywhere
        /// That of the base URL; `nil` for one that is no URL, which no request goes to.
        case origin(WebOrigin?)
    }

    /// Creates the context of a call that begins now.
    package init(
        deadline: Deadline? = nil,
        base: Base = .anywhere,
        watcher: CallRecord? = nil,
        time: TimeSource = .system,
        random: RandomSource = .system,
        owner: (any AnyObject & Sendable)? = nil
    ) {
        self.deadline = deadline
        self.base = base
        self.watcher = watcher
        self.time = time
        self.random = random
        self.owner = owner
        id = watcher?.id ?? ID.next()
        first = nil
    }

    /// What is left of a call for an exchange that others wait for, too, and that may outlive it.
    package init(sharing call: CallContext) {
        id = call.id
        deadline = call.deadline
        base = call.base
        watcher = call.watcher
        time = call.time
        random = call.random
        owner = call.owner
        first = call
    }

    /// How many requests went to the transport for this call.
    public var attempts: Int { sent.load(ordering: .relaxed) }

    /// Counts one more request.
    package func countAttempt() {
        sent.add(1, ordering: .relaxed)
        first?.countAttempt()
    }

    /// How many answers the transport gave, whatever became of them.
    package var answers: Int { answered.load(ordering: .relaxed) }

    /// Counts one more answer.
    package func countAnswer() {
        answered.add(1, ordering: .relaxed)
        first?.countAnswer()
    }

    /// How often a step decided to send a request again because it had failed, over all such steps of the call.
    package var retries: Int { repeated.load(ordering: .relaxed) }

    /// Counts one more decision to send a request again.
    package func countRetry() { repeated.add(1, ordering: .relaxed) }

    /// Hides what the request held that was sent last; `nil` where nobody noted that.
    package var redactor: Redactor? { noted.withLock { $0 } }

    /// Notes what a request holds that is about to be sent, for who tells of the whole call.
    package func note(_ redactor: Redactor) {
        noted.withLock { $0 = redactor }
        first?.note(redactor)
    }

    /// True if the call is watched.
    package var isObserved: Bool { watcher != nil }

    /// Reports an event, which is made only if the call is watched.
    package func report(_ event: @autoclosure () -> NetworkEvent) {
        guard let watcher else { return }
        let event = event()
        watcher.report { _ in event }
    }

    /// Reports an event, made for each observer by its rules.
    package func report(_ event: (RedactionRules) -> NetworkEvent) { watcher?.report(event) }
}
