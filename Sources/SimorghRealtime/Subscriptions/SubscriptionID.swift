// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Names one subscription of a connection, for as long as the program runs: a number that is never given twice.
///
/// Its text, the number in digits, is what most protocols send as the subscription's id.
public struct SubscriptionID: Sendable, Hashable, CustomStringConvertible {
    /// The number, from 1.
    public let number: Int

    /// The name of no subscription: stands for an id in a message that is not a name of this kind.
    static let unknown = SubscriptionID(0)

    /// Creates a name.
    ///
    /// - Parameter number: The number.
    public init(_ number: Int) { self.number = number }

    /// Reads a name that a server sends back.
    ///
    /// - Parameter text: The number in digits.
    public init?(_ text: some StringProtocol) {
        guard let number = Int(text), number > 0 else { return nil }
        self.number = number
    }

    /// The number in digits.
    public var description: String { number.description }
}
