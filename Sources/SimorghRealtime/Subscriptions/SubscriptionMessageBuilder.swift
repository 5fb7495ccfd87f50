// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// Lets a dictionary with values of several kinds be a message: `["method": "SUBSCRIBE", "params": ["a"], "id": 1]`.
///
/// Without it, such a literal is no `Encodable`. It is on the messages of a ``SubscriptionRouter`` by itself.
@resultBuilder
public enum SubscriptionMessageBuilder {
    /// `nil` in a place where a message may stand.
    public struct NoMessage: ExpressibleByNilLiteral {
        /// Creates nothing.
        ///
        /// - Parameter nilLiteral: Nothing.
        public init(nilLiteral: ()) {}
    }

    /// Takes a literal in JSON.
    ///
    /// - Parameter message: The message.
    /// - Returns: The message.
    @_disfavoredOverload
    public static func buildExpression(_ message: JSON) -> JSON { message }

    /// Takes any message.
    ///
    /// - Parameter message: The message.
    /// - Returns: The message.
    public static func buildExpression<Message: Encodable>(_ message: Message) -> Message { message }

    /// Takes a message that may be missing.
    ///
    /// - Parameter message: The message.
    /// - Returns: The message.
    public static func buildExpression<Message: Encodable>(_ message: Message?) -> Message? { message }

    /// Takes nothing.
    ///
    /// - Parameter message: Nothing.
    /// - Returns: Nothing.
    public static func buildExpression(_ message: NoMessage) -> NoMessage { message }

    /// Gives a message.
    ///
    /// - Parameter message: The message.
    /// - Returns: The message.
    public static func buildBlock<Message: Encodable>(_ message: Message) -> Message { message }

    /// Gives a message that may be missing.
    ///
    /// - Parameter message: The message.
    /// - Returns: The message.
    public static func buildBlock<Message: Encodable>(_ message: Message?) -> Message? { message }

    /// Gives nothing.
    ///
    /// - Parameter message: Nothing.
    /// - Returns: Nothing.
    public static func buildBlock<Message: Encodable>(_ message: NoMessage) -> Message? { nil }

    /// Gives the message of a condition that holds.
    ///
    /// - Parameter message: The message.
    /// - Returns: The message.
    public static func buildEither<Message>(first message: Message) -> Message { message }

    /// Gives the message of a condition that does not hold.
    ///
    /// - Parameter message: The message.
    /// - Returns: The message.
    public static func buildEither<Message>(second message: Message) -> Message { message }

    /// Gives what was written.
    ///
    /// - Parameter message: The message.
    /// - Returns: The message.
    public static func buildFinalResult<Message>(_ message: Message) -> Message { message }

    /// Gives what was written as JSON, where that is what the router declares.
    ///
    /// - Parameter message: The message.
    /// - Returns: The message; null for one that cannot be written.
    @_disfavoredOverload
    public static func buildFinalResult<Message: Encodable>(_ message: Message) -> JSON {
        guard let data = try? JSONEncoder().encode(message) else { return .null }
        return (try? JSON(parsing: data)) ?? .null
    }
}
