// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A JSON value whose structure is not known in advance (RFC 8259).
///
/// ```swift
/// let json: JSON = ["user": ["name": "Ada", "tags": ["a", "b"]]]
/// json.user.name.string     // "Ada"
/// json.user.tags[1].string  // "b"
/// json.user.age             // .null: what is missing is null
/// ```
@dynamicMemberLookup
public enum JSON: Sendable, Hashable {
    /// `null`
    case null
    /// `true` or `false`; never equal to a number.
    case bool(Bool)
    /// A number.
    case number(Number)
    /// A string.
    case string(String)
    /// An array.
    case array([JSON])
    /// An object; the order of its members is not kept.
    case object([String: JSON])

    /// The value of a member; ``null`` if there is no such member, or if this is not an object.
    ///
    /// - Parameter key: The member's name.
    public subscript(key: String) -> JSON {
        guard case .object(let members) = self else { return .null }
        return members[key] ?? .null
    }

    /// The element at an index; ``null`` if the index is out of bounds, or if this is not an array.
    ///
    /// - Parameter index: The index, from 0.
    public subscript(index: Int) -> JSON {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return .null }
        return elements[index]
    }

    /// The value of a member, written as a property.
    ///
    /// - Parameter name: The member's name.
    public subscript(dynamicMember name: String) -> JSON { self[name] }

    /// A Boolean value that indicates whether this is `null`.
    public var isNull: Bool { self == .null }

    /// The text, if this is a string.
    public var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The number, if this is a number that an `Int` can represent exactly.
    public var int: Int? {
        guard case .number(let number) = self else { return nil }
        return number.int
    }

    /// The number, if this is a number; an integer beyond 2^53 is rounded.
    public var double: Double? {
        guard case .number(let number) = self else { return nil }
        return number.double
    }

    /// The Boolean value, if this is one.
    public var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The elements, if this is an array.
    public var array: [JSON]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The members, if this is an object.
    public var object: [String: JSON]? {
        guard case .object(let members) = self else { return nil }
        return members
    }
}

extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// Creates `null`.
    ///
    /// - Parameter nilLiteral: An empty value.
    public init(nilLiteral: ()) { self = .null }

    /// Creates a Boolean value.
    ///
    /// - Parameter value: The value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Creates an integer.
    ///
    /// - Parameter value: The number.
    public init(integerLiteral value: Int64) { self = .number(Number(value)) }

    /// Creates a number.
    ///
    /// - Parameter value: The number.
    public init(floatLiteral value: Double) { self = .number(Number(value)) }

    /// Creates a string.
    ///
    /// - Parameter value: The text.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Creates an array.
    ///
    /// - Parameter elements: The elements.
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }

    /// Creates an object; of two members with the same name the later remains.
    ///
    /// - Parameter elements: Names and values.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(Dictionary(elements) { _, later in later })
    }
}
