// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// An error of a WebSocket operation, or the error that ended a connection.
public struct WebSocketError: Error, Sendable {
    /// A kind of failure; a struct, so that a new code does not break existing `switch` statements.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name of the code, stable across releases.
        public let description: String

        /// The task was cancelled.
        ///
        /// The connection goes on.
        public static let cancelled = Code(description: "cancelled")
        /// The connection is closed, or one side has sent a close frame.
        public static let closed = Code(description: "closed")
        /// The connection broke off without a close frame.
        public static let connectionLost = Code(description: "connectionLost")
        /// The server was silent for the pong timeout after a ping, or did not answer a ping that the caller sent.
        public static let pongTimedOut = Code(description: "pongTimedOut")
        /// The server did not answer the close frame within the close timeout.
        public static let closeTimedOut = Code(description: "closeTimedOut")
        /// The server violated the WebSocket protocol.
        public static let protocolViolation = Code(description: "protocolViolation")
        /// The server sent text that is not valid UTF-8, or data that cannot be decompressed.
        public static let invalidPayload = Code(description: "invalidPayload")
        /// A message exceeds the maximum message size.
        public static let messageTooLarge = Code(description: "messageTooLarge")
        /// An argument is invalid, such as a close code that may not be sent or a ping of more than 125 bytes.
        public static let invalidArgument = Code(description: "invalidArgument")
        /// Another task is reading from the same link.
        public static let alreadyReading = Code(description: "alreadyReading")

        /// Creates a code for a custom transport.
        ///
        /// - Parameter description: The name of the code.
        public init(description: String) { self.description = description }
    }

    /// The kind of failure.
    public var code: Code
    /// A human-readable description of the failure.
    public var message: String
    /// The close code that was received or sent, if any.
    public var closeCode: WebSocketCloseCode?
    /// The underlying error, if any.
    public var underlying: (any Error)?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: A human-readable description.
    ///   - closeCode: The close code, if any.
    ///   - underlying: The underlying error, if any.
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
    /// Returns true if code, message and close code are equal; the underlying errors are not compared.
    public static func == (left: WebSocketError, right: WebSocketError) -> Bool {
        left.code == right.code && left.message == right.message && left.closeCode == right.closeCode
    }

    /// Hashes the members that `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
        hasher.combine(closeCode)
    }
}

extension WebSocketError: CustomStringConvertible {
    /// The code, the close code and the message, on one line.
    public var description: String {
        "\(code)\(closeCode.map { " (\($0))" } ?? ""): \(message)"
    }
}
