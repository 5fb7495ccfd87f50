// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// Everything about one call.
package struct CallDetail: Encodable, Sendable {
    package struct Attempt: Encodable, Sendable {
        let number: Int
        /// The beginning, in milliseconds since the beginning of the call.
        let start: Double
        let milliseconds: Double?
        let phases: [PhaseView]
        let failure: String?
        /// The connection in words; `nil` without a connection.
        let connection: String?
        let isReused: Bool
        let entry: HARDocument.Entry
    }

    package struct Step: Encodable, Sendable {
        let kind: InspectedStep.Kind
        let start: Double
        let milliseconds: Double?
        let text: String
    }

    package struct Message: Encodable, Sendable {
        let number: Int
        let kind: InspectedMessage.Kind
        let isSent: Bool
        let start: Double
        let size: Int
        let text: String
        let event: String?
    }

    let call: CallSummary
    let attempts: [Attempt]
    let steps: [Step]
    /// The messages after the one that the page has already.
    let messages: [Message]
    /// The reason why the call cannot be sent again; `nil` if it can.
    let replayRefusal: String?

    /// Creates the detail; reads the redacted bodies, which takes time for large ones.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - last: The number of the last message that the page has already.
    package init(_ call: InspectedCall, messagesAfter last: Int) {
        self.call = CallSummary(call)
        attempts = call.attempts.map { attempt in
            Attempt(
                number: attempt.number, start: (attempt.start - call.start).rounded,
                milliseconds: attempt.duration?.rounded, phases: attempt.phases, failure: attempt.failure,
                connection: attempt.connection?.description, isReused: attempt.timings?.isReusedConnection == true,
                entry: attempt.exchange.entry)
        }
        steps = call.steps.map { step in
            Step(
                kind: step.kind, start: (step.start - call.start).rounded, milliseconds: step.duration?.rounded,
                text: step.text)
        }
        messages = call.messages.filter { $0.number > last }.map { message in
            Message(
                number: message.number, kind: message.kind, isSent: message.isSent,
                start: (message.time - call.start).rounded, size: message.size, text: message.text,
                event: message.event)
        }
        replayRefusal = call.replayRefusal
    }
}
