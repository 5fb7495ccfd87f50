// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Why a subscription ended, or was interrupted.
public struct SubscriptionError: Error, Sendable, CustomStringConvertible {
    /// A kind of failure; a struct, so that a release that adds one breaks nobody's `switch`.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name, the same in every release.
        public let description: String

        /// The request, or what is sent, could not be made; nothing has left this machine.
        public static let invalidRequest = Code(description: "invalidRequest")
        /// No connection came about.
        public static let connectionFailed = Code(description: "connectionFailed")
        /// The connection broke off, or the server closed it.
        public static let connectionLost = Code(description: "connectionLost")
        /// The server did not agree to the handshake of the protocol.
        public static let negotiationFailed = Code(description: "negotiationFailed")
        /// The server did not answer in time.
        public static let timedOut = Code(description: "timedOut")
        /// The server refused the subscription.
        public static let refused = Code(description: "refused")
        /// The server ended the subscription in an error.
        public static let failed = Code(description: "failed")
        /// The server said what the protocol does not know.
        public static let invalidMessage = Code(description: "invalidMessage")
        /// An event is not what was asked for.
        public static let decodingFailed = Code(description: "decodingFailed")
        /// The subscriber was too slow, and wanted to hear of it rather than miss an event.
        public static let bufferOverflow = Code(description: "bufferOverflow")
        /// More subscriptions than the bound allows.
        public static let tooManySubscriptions = Code(description: "tooManySubscriptions")
        /// The subscription ended without the event that was awaited.
        public static let noEvent = Code(description: "noEvent")
        /// The task was cancelled, or the connection closed from this side.
        public static let cancelled = Code(description: "cancelled")
    }

    /// What went wrong.
    public let code: Code
    /// What exactly, for a person.
    public let message: String
    /// The error that caused this one: the server's own, the transport's, the decoder's.
    public let underlying: (any Error)?
    /// How the connection ended, where it did.
    public let closure: WebSocketClosure?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: What went wrong.
    ///   - message: What exactly, for a person.
    ///   - underlying: What caused it.
    ///   - closure: How the connection ended.
    public init(
        _ code: Code, _ message: String, underlying: (any Error)? = nil, closure: WebSocketClosure? = nil
    ) {
        self.code = code
        self.message = message
        self.underlying = underlying
        self.closure = closure
    }

    /// The code and the message.
    public var description: String { "\(message) (\(code))" }
}

extension SubscriptionError {
    /// An error with a cause, which keeps what it is where it is one of these already.
    init(_ code: Code, causedBy error: any Error, _ lead: String) {
        if let error = error as? SubscriptionError {
            self = error
        } else if error is CancellationError {
            self.init(.cancelled, "the subscription was cancelled")
        } else {
            self.init(code, "\(lead): \(error)", underlying: error)
        }
    }
}
