// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A bag of typed values that travels with a call, for steps of the chain that need to know more than the request says.
///
/// ```swift
/// enum ScreenName: UserInfo.Key {
///     static let defaultValue = ""
/// }
/// let call = client.call(GetProfile()).with { $0.userInfo[ScreenName.self] = "profile" }
/// ```
public struct UserInfo: Sendable {
    /// Names a value and says what it is where nobody set it.
    public protocol Key {
        /// The value's type.
        associatedtype Value: Sendable
        /// What the value is where nobody set it.
        static var defaultValue: Value { get }
    }

    private var values: [ObjectIdentifier: any Sendable] = [:]

    /// Creates an empty bag.
    public init() {}

    /// Whether nothing was set.
    public var isEmpty: Bool { values.isEmpty }

    /// Whether nothing was set but what some keys name.
    package func isEmpty(besides keys: Set<ObjectIdentifier>) -> Bool { values.keys.allSatisfy(keys.contains) }

    /// A value.
    ///
    /// - Parameter key: Its name.
    public subscript<Name: Key>(key: Name.Type) -> Name.Value {
        get {
            // Before it is cast, which costs more than the look.
            guard let value = values[ObjectIdentifier(key)] else { return key.defaultValue }
            return value as? Name.Value ?? key.defaultValue
        }
        set { values[ObjectIdentifier(key)] = newValue }
    }
}
