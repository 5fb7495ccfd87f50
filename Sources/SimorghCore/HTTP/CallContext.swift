// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// The state that belongs to a whole call rather than to one of its requests.
///
/// Every step of the pipeline finds the same instance in ``TransportOptions/call``.
public final class CallContext: Sendable {
    /// A number that identifies a call within the process.
    public struct ID: Sendable, Hashable, CustomStringConvertible {
        /// The number, counted from 1 in the order in which calls begin.
        public let rawValue: Int

        /// The number as text.
        public var description: String { String(rawValue) }

        private static let last = Atomic(0)

        package static func next() -> ID { ID(rawValue: last.add(1, ordering: .relaxed).newValue) }
    }

    /// The call's number.
    public let id: ID
    /// The time by which the call must end, including all attempts and waits; `nil` for no limit.
    package let deadline: Deadline?
    /// The clock of the call's steps.
    package let time: TimeSource
    /// The source of randomness of the call's steps.
    package let random: RandomSource
    /// The client that makes the call, for steps that pass it to the user's code.
    package let owner: (any AnyObject & Sendable)?
    /// The origin that the client's credentials are limited to.
    package let base: Base
    /// The observer of the call; `nil` if the call is not observed.
    package let reporter: CallReporter?
    /// The codecs of the call; `nil` for JSON alone.
    package let codecs: BodyCodecs?
    private let sent = Atomic(0)
    private let retryCount = Atomic(0)
    private let responseCount = Atomic(0)
    private let currentRedactor = Mutex<Redactor?>(nil)
    /// The idempotency keys of the call's requests.
    let idempotency = Mutex(IdempotencyKeys())
    /// The call whose exchange this one shares; attempts and responses are counted in both.
    private let first: CallContext?

    /// The origin that a client's credentials are for.
    package enum Base: Sendable, Hashable {
        /// Any origin: the client has no base URL.
        case anywhere
        /// The origin of the base URL; `nil` if the base URL is invalid, so that no request is sent to it.
        case origin(WebOrigin?)
    }

    /// Creates the context of a call that begins now.
    package init(
        deadline: Deadline? = nil,
        base: Base = .anywhere,
        reporter: CallReporter? = nil,
        time: TimeSource = .system,
        random: RandomSource = .system,
        owner: (any AnyObject & Sendable)? = nil, codecs: BodyCodecs? = nil
    ) {
        self.deadline = deadline
        self.base = base
        self.reporter = reporter
        self.time = time
        self.random = random
        self.owner = owner
        self.codecs = codecs
        id = reporter?.id ?? ID.next()
        first = nil
    }

    /// Creates the context of an exchange that other calls share and that may outlive the call that began it.
    package init(sharing call: CallContext) {
        id = call.id
        deadline = call.deadline
        base = call.base
        reporter = call.reporter
        time = call.time
        random = call.random
        owner = call.owner
        codecs = call.codecs
        first = call
    }

    /// The number of requests that the call has sent to the transport.
    public var attempts: Int { sent.load(ordering: .relaxed) }

    /// Counts one more request.
    package func countAttempt() {
        sent.add(1, ordering: .relaxed)
        first?.countAttempt()
    }

    /// The number of responses that the transport returned, including those that were discarded.
    package var answers: Int { responseCount.load(ordering: .relaxed) }

    /// Counts one more response.
    package func countResponse() {
        responseCount.add(1, ordering: .relaxed)
        first?.countResponse()
    }

    /// The number of times that a step of the call decided to send a failed request again.
    package var retries: Int { retryCount.load(ordering: .relaxed) }

    /// Counts one more decision to send a request again.
    package func countRetry() { retryCount.add(1, ordering: .relaxed) }

    /// The redactor for secrets in the request that was sent last; `nil` before the first request.
    package var redactor: Redactor? { currentRedactor.withLock { $0 } }

    /// Notes the redactor for a request that is about to be sent, for steps that report on the whole call.
    package func note(_ redactor: Redactor) {
        currentRedactor.withLock { $0 = redactor }
        first?.note(redactor)
    }

    /// True if the call is observed.
    package var isObserved: Bool { reporter != nil }

    /// Reports an event, which is created only if the call is observed.
    package func report(_ event: @autoclosure () -> NetworkEvent) {
        guard let reporter else { return }
        let event = event()
        reporter.report { _ in event }
    }

    /// Reports an event, created for each observer according to its redaction rules.
    package func report(_ event: (RedactionRules) -> NetworkEvent) { reporter?.report(event) }
}
