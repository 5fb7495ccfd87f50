// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

/// What a server answers, described: a message to be framed, or bytes and events as they are.
package enum Reply: Sendable {
    /// One thing that happens while a reply is sent, in their order.
    package enum Step: Sendable {
        case bytes(ByteBuffer)
        case wait(Duration)
        case gate(Gate)
        /// Closes the connection when all before is sent.
        case close
        /// Closes with a reset, so that the client's next read fails.
        case reset
        /// Sends nothing more, and keeps the connection open until the client closes it.
        case stall
    }

    /// Steps made one by one, only as fast as the client reads.
    package struct Steps: Sendable {
        package let make: @Sendable () -> (() -> Step?)

        package init(_ make: @escaping @Sendable () -> (() -> Step?)) { self.make = make }

        package init(_ steps: [Step]) {
            self.init {
                var rest = steps[...]
                return { rest.popFirst() }
            }
        }
    }

    package enum Body: Sendable {
        case bytes(ByteBuffer)
        /// A length that is promised, whether the steps keep it or not; `nil` is sent in chunks.
        case steps(length: Int?, Steps)
    }

    /// A response with a status, fields and a body.
    package struct Message: Sendable {
        package var status: Int
        package var fields: [(name: String, value: String)]
        package var body: Body
        /// Whether the connection is closed after it, and says so.
        package var closes = false
        /// How long the head is held back.
        package var delay = Duration.zero

        package init(_ status: Int, _ fields: [(name: String, value: String)] = [], _ body: Body = .bytes(ByteBuffer()))
        {
            self.status = status
            self.fields = fields
            self.body = body
        }
    }

    case message(Message)
    /// What goes over the wire, head and all; the connection is closed after it.
    case wire(Steps)

    package static func status(_ status: Int, _ fields: [(name: String, value: String)] = []) -> Reply {
        .message(Message(status, fields))
    }

    package static func text(_ text: String, status: Int = 200, type: String = "text/plain; charset=utf-8") -> Reply {
        .message(Message(status, [("Content-Type", type)], .bytes(ByteBuffer(string: text))))
    }

    package static func json(
        _ json: EchoJSON, status: Int = 200, _ fields: [(name: String, value: String)] = []
    ) -> Reply {
        .message(
            Message(
                status, [("Content-Type", "application/json")] + fields,
                .bytes(ByteBuffer(string: json.text + "\n"))))
    }

    package static func error(_ status: Int, _ message: String, _ fields: [(name: String, value: String)] = []) -> Reply
    {
        .json(.object([("error", .string(message)), ("status", .int(status))]), status: status, fields)
    }

    package static func wire(_ steps: [Step]) -> Reply { .wire(Steps(steps)) }
}
