// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
import SimorghSupport

/// One attempt of a call on the network.
package struct InspectedAttempt: Sendable {
    /// The number of the attempt in the call, from 1.
    package let number: Int
    /// The time from the start of the inspector to the beginning of the attempt.
    package let start: Duration
    package let exchange: any InspectedExchange
    package var duration: Duration?
    package var timings: ExchangeTimings?
    package var connection: ConnectionInfo?
    package var failure: String?
    /// The approximate size in memory, in bytes.
    package var cost = 0

    package init(number: Int, start: Duration, exchange: any InspectedExchange, duration: Duration? = nil) {
        self.number = number
        self.start = start
        self.exchange = exchange
        self.duration = duration
    }
}

/// A decision or a wait in a call.
package struct InspectedStep: Sendable, Hashable {
    /// The kind of a step.
    package enum Kind: String, Sendable, Encodable {
        case wait, retry, redirect, cache, hedge, interim
    }

    package let kind: Kind
    /// The time from the start of the inspector.
    package let start: Duration
    /// The duration; `nil` for a decision, and for a wait that has not ended.
    package var duration: Duration?
    /// A description for a person, redacted.
    package let text: String

    package init(_ kind: Kind, at start: Duration, lasting duration: Duration? = nil, text: String) {
        self.kind = kind
        self.start = start
        self.duration = duration
        self.text = text
    }
}

/// A WebSocket message or control frame, or a server-sent event.
package struct InspectedMessage: Sendable, Hashable {
    /// The kind of a message.
    package enum Kind: String, Sendable, Encodable {
        case text, binary, parts, pong, close, event
    }

    /// The largest part of a text to keep, in bytes.
    package static let maximumBytes = 16 * 1024

    /// The number of the message in its call, from 1.
    package var number = 0
    package let kind: Kind
    package let isSent: Bool
    /// The time from the start of the inspector.
    package let time: Duration
    /// The size of the message, in bytes.
    package let size: Int
    /// The text, redacted; a description if the message is not text.
    package let text: String
    /// The type of a server-sent event.
    package let event: String?

    package init(_ kind: Kind, isSent: Bool, at time: Duration, size: Int, text: String, event: String? = nil) {
        self.kind = kind
        self.isSent = isSent
        self.time = time
        self.size = size
        self.text = text
        self.event = event
    }

    /// The approximate size in memory, in bytes.
    package var cost: Int { 96 + text.utf8.count + (event?.utf8.count ?? 0) }
}

/// A download as the inspector shows it.
package struct InspectedDownload: Sendable, Hashable {
    package let id: UUID
    package let manager: String
    package var name: String
    /// The URL, redacted.
    package var url: String
    package var state: String
    package var bytes: Int64 = 0
    package var total: Int64?
    package var speed: Double = 0
    package var remainingSeconds: Double?
    package var connections = 0
    /// The missing ranges of the file, at most 64.
    package var missing: [Range<Int64>] = []
    package var failure: String?

    package init(id: UUID, manager: String, name: String, url: String, state: String) {
        self.id = id
        self.manager = manager
        self.name = name
        self.url = url
        self.state = state
    }
}
