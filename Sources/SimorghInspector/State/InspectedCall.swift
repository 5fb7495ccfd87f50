// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
package import SimorghCore
import SimorghSupport

/// A call as the inspector keeps it.
package struct InspectedCall: Sendable {
    /// The use of the connection.
    package enum Kind: String, Sendable, Encodable {
        case http, socket, events
    }

    /// The stage of a call.
    package enum Stage: String, Sendable, Encodable {
        /// The call has not ended.
        case running
        /// The connection of a WebSocket is open.
        case open
        case done, failed, cancelled
        /// The reader of a stream stopped before its end.
        case left
    }

    /// The request of a call, to send it again.
    package enum Replay: Sendable {
        case request(TransportRequest)
        /// It cannot be sent again, for this reason.
        case impossible(String)
    }

    /// The number of attempts to keep, the last ones.
    package static let maximumAttempts = 64
    /// The number of steps to keep, the first ones.
    package static let maximumSteps = 256
    /// The approximate size of a call without URL, heads and bodies, in bytes.
    private static let baseCost = 512

    /// The number of the call in this inspector, from 1.
    package let number: Int
    /// The id of the call in the process; `nil` if it was read from a file.
    package let id: CallContext.ID?
    /// The name of the client.
    package let client: String
    /// The time from the start of the inspector to the beginning of the call.
    package let start: Duration
    /// The date at which the call began.
    package let date: Date
    package let method: String
    /// The URL, redacted.
    package let url: String
    /// The call that this one repeats; `nil` if it was not sent by the inspector.
    package let repeats: Int?
    package let replay: Replay
    /// The observer that recorded the call, whose client can repeat it; `nil` without one.
    package let observer: ObjectIdentifier?
    /// The version of the state in which the call changed last.
    package var version = 0
    package var kind = Kind.http
    package var stage = Stage.running
    package var status: Int?
    package var failure: String?
    package var duration: Duration?
    package var mediaType: String?
    package var sentBytes: Int64 = 0
    package var receivedBytes: Int64 = 0
    /// The bytes that the reader of a stream got; the transport reports those it received only at the end.
    private var streamedBytes: Int64 = 0
    package var redirects = 0
    /// The number of attempts, including those that are no longer kept.
    package private(set) var attemptCount = 0
    /// A word for the decision of the cache; `nil` if no cache was asked.
    package var cache: String?
    package private(set) var attempts: [InspectedAttempt] = []
    package private(set) var steps: [InspectedStep] = []
    package private(set) var messages = Deque<InspectedMessage>()
    /// The number of messages, including those that are no longer kept.
    package private(set) var messageCount = 0
    /// The approximate size in memory, in bytes.
    package private(set) var cost: Int

    /// The reason why the call cannot be sent again; `nil` if it can.
    package var replayRefusal: String? {
        switch (replay, kind) {
        case (.impossible(let reason), _): reason
        // The recorded request does not ask for the upgrade, and the response to it may never end.
        case (.request, .socket): "a WebSocket is not sent again"
        case (.request, .events): "an event stream is not sent again"
        case (.request, .http): nil
        }
    }

    package init(
        number: Int, id: CallContext.ID?, client: String, start: Duration, date: Date, method: String, url: String,
        repeats: Int? = nil, replay: Replay, observer: ObjectIdentifier? = nil
    ) {
        self.number = number
        self.id = id
        self.client = client
        self.start = start
        self.date = date
        self.method = method
        self.url = url
        self.repeats = repeats
        self.replay = replay
        self.observer = observer
        cost = Self.baseCost + url.utf8.count
        if case .request(let request) = replay {
            cost += request.urlString.utf8.count + request.head.headerFields.inspectedCost
            cost += request.body.bytes?.count ?? 0
        }
    }

    /// Adds an attempt that begins.
    ///
    /// - Parameters:
    ///   - attempt: The attempt.
    ///   - cost: Its size in memory, in bytes.
    /// - Returns: The exchange of an attempt that is no longer kept.
    package mutating func append(_ attempt: InspectedAttempt, cost: Int) -> (any InspectedExchange)? {
        attemptCount += 1
        attempts.append(attempt)
        grow(by: cost, attempt: attempt.number)
        guard attempts.count > Self.maximumAttempts else { return nil }
        let dropped = attempts.removeFirst()
        self.cost -= dropped.cost
        return dropped.exchange
    }

    /// Adds bytes that the exchange of an attempt keeps; ignored if the attempt is no longer kept.
    package mutating func grow(by bytes: Int, attempt number: Int) {
        updateAttempt(number) { $0.cost += bytes }
        if attempts.contains(where: { $0.number == number }) { cost += bytes }
    }

    /// Counts bytes that the reader of a stream got.
    package mutating func didStream(_ bytes: Int64) {
        streamedBytes += bytes
        receivedBytes = max(receivedBytes, streamedBytes)
    }

    /// Changes the last attempt with a number.
    package mutating func updateAttempt(_ number: Int, _ change: (inout InspectedAttempt) -> Void) {
        guard let index = attempts.lastIndex(where: { $0.number == number }) else { return }
        change(&attempts[index])
    }

    /// Adds a step, unless there are too many.
    package mutating func append(_ step: InspectedStep) {
        guard steps.count < Self.maximumSteps else { return }
        cost += 64 + step.text.utf8.count
        steps.append(step)
    }

    /// Ends the last step of a kind that has not ended.
    package mutating func endStep(_ kind: InspectedStep.Kind, text: String, after duration: Duration) {
        guard
            let index = steps.lastIndex(where: { $0.kind == kind && $0.text == text && $0.duration == nil })
        else { return }
        steps[index].duration = duration
    }

    /// Ends the waits that have not ended, because their call ended first.
    package mutating func endSteps(at now: Duration) {
        for index in steps.indices where steps[index].duration == nil {
            steps[index].duration = now - steps[index].start
        }
    }

    /// Adds a message.
    ///
    /// - Parameters:
    ///   - message: The message; its number is set here.
    ///   - limit: The number of messages to keep.
    package mutating func append(_ message: InspectedMessage, keeping limit: Int) {
        messageCount += 1
        var message = message
        message.number = messageCount
        messages.append(message)
        cost += message.cost
        while messages.count > limit, let first = messages.popFirst() { cost -= first.cost }
    }

    /// Counts messages that are not kept, before the next one.
    package mutating func omitMessages(_ count: Int) { messageCount += count }
}

extension HTTPFields {
    /// The size of the fields in memory, in bytes.
    package var inspectedCost: Int {
        reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 32 }
    }
}
