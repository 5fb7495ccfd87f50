// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// A result builder that accepts a dictionary with mixed values as a message.
///
/// For example `["method": "SUBSCRIBE", "params": ["a"], "id": 1]`, which is not `Encodable` by itself. It applies
/// automatically to the message properties of a ``SubscriptionRouter``.
@resultBuilder
public enum SubscriptionMessageBuilder {
    /// The type of a `nil` literal used as a message.
    public struct NilMessage: ExpressibleByNilLiteral {
        /// Creates an instance from `nil`.
        ///
        /// - Parameter nilLiteral: The literal.
        public init(nilLiteral: ()) {}
    }

    /// Accepts a JSON literal.
    ///
    /// - Parameter message: The message.
    /// - Returns: The message.
    @_disfavoredOverload
    public static func buildExpression(_ message: JSON) -> JSON { message }

    /// Accepts any message.
    ///
    /// - Parameter message: The message.
    /// - Returns: The message.
    public static func buildExpression<Message: Encodable>(_ message: Message) -> Message { message }

    /// Accepts an optional message.
    ///
    /// - Parameter message: The message.
    /// - Returns: The message.
    public static func buildExpression<Message: Encodable>(_ message: Message?) -> Message? { message }

    /// Accepts `nil`.
    ///
    /// - Parameter message: The `nil` literal.
    /// - Returns: The `nil` literal.
    public static func buildExpression(_ message: NilMessage) -> NilMessage { message }

    /// Returns the message.
    ///
    /// - Parameter message: The message.
    /// - Returns: The message.
    public static func buildBlock<Message: Encodable>(_ message: Message) -> Message { message }

    /// Returns the optional message.
    ///
    /// - Parameter message: The message.
    /// - Returns: The message.
    public static func buildBlock<Message: Encodable>(_ message: Message?) -> Message? { message }

    /// Returns `nil` for a `nil` literal.
    ///
    /// - Parameter message: The `nil` literal.
    /// - Returns: `nil`.
    public static func buildBlock<Message: Encodable>(_ message: NilMessage) -> Message? { nil }

    /// Returns the message of the first branch.
    ///
    /// - Parameter message: The message.
    /// - Returns: The message.
    public static func buildEither<Message>(first message: Message) -> Message { message }

    /// Returns the message of the second branch.
    ///
    /// - Parameter message: The message.
    /// - Returns: The message.
    public static func buildEither<Message>(second message: Message) -> Message { message }

    /// Returns the finished message.
    ///
    /// - Parameter message: The message.
    /// - Returns: The message.
    public static func buildFinalResult<Message>(_ message: Message) -> Message { message }

    /// Returns the finished message as JSON, if the router declares JSON as its type.
    ///
    /// - Parameter message: The message.
    /// - Returns: The message; null if it cannot be encoded.
    @_disfavoredOverload
    public static func buildFinalResult<Message: Encodable>(_ message: Message) -> JSON {
        guard let data = try? JSONEncoder().encode(message) else { return .null }
        return (try? JSON(parsing: data)) ?? .null
    }
}
