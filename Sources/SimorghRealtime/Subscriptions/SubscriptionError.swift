// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The error that ended or interrupted a subscription.
public struct SubscriptionError: Error, Sendable, CustomStringConvertible {
    /// A kind of failure; a struct, so that a new code does not break existing `switch` statements.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code, stable across releases.
        public let description: String

        /// The request or the message to send is invalid; nothing was sent.
        public static let invalidRequest = Code(description: "invalidRequest")
        /// The connection could not be opened.
        public static let connectionFailed = Code(description: "connectionFailed")
        /// The connection broke off, or the server closed it.
        public static let connectionLost = Code(description: "connectionLost")
        /// The handshake of the protocol failed.
        public static let negotiationFailed = Code(description: "negotiationFailed")
        /// The server did not answer in time.
        public static let timedOut = Code(description: "timedOut")
        /// The server rejected the subscription.
        public static let refused = Code(description: "refused")
        /// The server ended the subscription with an error.
        public static let failed = Code(description: "failed")
        /// The server sent a message that is invalid in the protocol.
        public static let invalidMessage = Code(description: "invalidMessage")
        /// An event could not be decoded as the requested type.
        public static let decodingFailed = Code(description: "decodingFailed")
        /// The subscriber was too slow, and its overflow policy is to fail rather than drop events.
        public static let bufferOverflow = Code(description: "bufferOverflow")
        /// The maximum number of subscriptions is reached.
        public static let tooManySubscriptions = Code(description: "tooManySubscriptions")
        /// The subscription ended without the expected event.
        public static let noEvent = Code(description: "noEvent")
        /// The task was cancelled, or this side closed the connection.
        public static let cancelled = Code(description: "cancelled")
    }

    /// The kind of failure.
    public let code: Code
    /// A human-readable description of the failure.
    public let message: String
    /// The underlying error of the server, the transport or the decoder, if any.
    public let underlying: (any Error)?
    /// A description of the end of the connection, if it ended.
    public let closure: WebSocketCloseInfo?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: A human-readable description.
    ///   - underlying: The underlying error.
    ///   - closure: A description of the end of the connection.
    public init(
        _ code: Code, message: String, underlying: (any Error)? = nil, closure: WebSocketCloseInfo? = nil
    ) {
        self.code = code
        self.message = message
        self.underlying = underlying
        self.closure = closure
    }

    /// The message and the code.
    public var description: String { "\(message) (\(code))" }
}

extension SubscriptionError {
    /// Creates an error with an underlying error; a `SubscriptionError` is kept unchanged.
    init(_ code: Code, causedBy error: any Error, message: String) {
        if let error = error as? SubscriptionError {
            self = error
        } else if error is CancellationError {
            self.init(.cancelled, message: "the subscription was cancelled")
        } else {
            self.init(code, message: "\(message): \(error)", underlying: error)
        }
    }
}
