// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A collection of typed values that travels with a call, for use by interceptors.
///
/// ```swift
/// enum ScreenName: UserInfo.Key {
///     static let defaultValue = ""
/// }
/// let call = client.call(GetProfile()).with { $0.userInfo[ScreenName.self] = "profile" }
/// ```
public struct UserInfo: Sendable {
    /// The name of a value, with the value's type and default.
    public protocol Key {
        /// The value's type.
        associatedtype Value: Sendable
        /// The value if it was not set.
        static var defaultValue: Value { get }
    }

    private var values: [ObjectIdentifier: any Sendable] = [:]

    /// Creates an empty collection.
    public init() {}

    /// A Boolean value that indicates whether no value is set.
    public var isEmpty: Bool { values.isEmpty }

    /// Returns true if no value is set except under the given keys.
    package func isEmpty(besides keys: Set<ObjectIdentifier>) -> Bool { values.keys.allSatisfy(keys.contains) }

    /// Adds the values of other user info under keys that have no value here.
    package mutating func fill(from other: UserInfo) { values.merge(other.values) { own, _ in own } }

    /// The value of a key; its default if the value was not set.
    ///
    /// - Parameter key: The key's type.
    public subscript<Name: Key>(key: Name.Type) -> Name.Value {
        get {
            // Checked before the cast, which costs more than the lookup.
            guard let value = values[ObjectIdentifier(key)] else { return key.defaultValue }
            return value as? Name.Value ?? key.defaultValue
        }
        set { values[ObjectIdentifier(key)] = newValue }
    }
}
