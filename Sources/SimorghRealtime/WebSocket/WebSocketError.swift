// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Why something could not be done on a WebSocket, or why it ended.
public struct WebSocketError: Error, Sendable {
    /// A kind of failure; a struct, so that a release that adds one breaks nobody's `switch`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name, the same in every release.
        public let description: String

        /// The task was cancelled; the connection goes on.
        public static let cancelled = Code(description: "cancelled")
        /// The connection is closed, or one of the sides has said goodbye.
        public static let closed = Code(description: "closed")
        /// The connection broke off without a goodbye.
        public static let connectionLost = Code(description: "connectionLost")
        /// No byte came within the time for the answer to a ping; or, to one that somebody asked for, no answer.
        public static let pongTimedOut = Code(description: "pongTimedOut")
        /// The server did not say goodbye in return within the time for it.
        public static let closeTimedOut = Code(description: "closeTimedOut")
        /// The server broke a rule of the protocol.
        public static let protocolViolation = Code(description: "protocolViolation")
        /// The server sent text that is no UTF-8, or compressed data that cannot be undone.
        public static let invalidPayload = Code(description: "invalidPayload")
        /// A message is larger than the bound.
        public static let messageTooLarge = Code(description: "messageTooLarge")
        /// What was asked for cannot be done: a close code that may not be sent, a ping of more than 125 bytes.
        public static let invalidArgument = Code(description: "invalidArgument")
        /// Somebody else reads from the same link at the same time.
        public static let alreadyReading = Code(description: "alreadyReading")

        /// Creates a code of your own, for a transport of your own.
        ///
        /// - Parameter description: Its name.
        public init(description: String) { self.description = description }
    }

    /// What went wrong.
    public var code: Code
    /// What happened, in a sentence for a person.
    public var message: String
    /// The close code that was received or sent, where there is one.
    public var closeCode: WebSocketCloseCode?
    /// The error that caused this one, where there is one.
    public var underlying: (any Error)?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: What went wrong.
    ///   - message: What happened, for a person.
    ///   - closeCode: The close code that goes with it.
    ///   - underlying: The cause.
    public init(
        _ code: Code, message: String, closeCode: WebSocketCloseCode? = nil, underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.closeCode = closeCode
        self.underlying = underlying
    }
}

extension WebSocketError: Hashable {
    /// Whether both say the same; the causes are not compared.
    public static func == (left: WebSocketError, right: WebSocketError) -> Bool {
        left.code == right.code && left.message == right.message && left.closeCode == right.closeCode
    }

    /// Feeds what `==` compares into a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
        hasher.combine(closeCode)
    }
}

extension WebSocketError: CustomStringConvertible {
    /// One line: the code, the close code, and what happened.
    public var description: String {
        "\(code)\(closeCode.map { " (\($0))" } ?? ""): \(message)"
    }
}
