// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The identifier of a subscription, unique within a subscription client.
///
/// Most protocols send its text, the number in decimal digits, as the ID of the subscription.
public struct SubscriptionID: Sendable, Hashable, CustomStringConvertible {
    /// The number, counted from 1.
    public let number: Int

    /// The identifier of no subscription, for an ID in a message that is not a valid identifier.
    static let unknown = SubscriptionID(0)

    /// Creates an identifier.
    ///
    /// - Parameter number: The number.
    public init(_ number: Int) { self.number = number }

    /// Creates an identifier from the text that a server sent.
    ///
    /// - Parameter text: The number in decimal digits; the result is `nil` for any other text.
    public init?(_ text: some StringProtocol) {
        guard let number = Int(text), number > 0 else { return nil }
        self.number = number
    }

    /// The number in decimal digits.
    public var description: String { number.description }
}
