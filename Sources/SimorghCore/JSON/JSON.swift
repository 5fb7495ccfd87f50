// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A JSON value whose shape is not known beforehand (RFC 8259).
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
    /// A text.
    case string(String)
    /// A list.
    case array([JSON])
    /// Names and values; the order in which they were written is not kept.
    case object([String: JSON])

    /// The value of a name; ``null`` where there is none, or where this is no object.
    ///
    /// - Parameter key: The name.
    public subscript(key: String) -> JSON {
        guard case .object(let members) = self else { return .null }
        return members[key] ?? .null
    }

    /// The element at a place; ``null`` where there is none, or where this is no array.
    ///
    /// - Parameter index: The place, from 0.
    public subscript(index: Int) -> JSON {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return .null }
        return elements[index]
    }

    /// The value of a name, written as a member.
    ///
    /// - Parameter name: The name.
    public subscript(dynamicMember name: String) -> JSON { self[name] }

    /// Whether this is `null`.
    public var isNull: Bool { self == .null }

    /// The text, if this is one.
    public var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The number, if this is one that an `Int` holds exactly.
    public var int: Int? {
        guard case .number(let number) = self else { return nil }
        return number.int
    }

    /// The number, if this is one; an integer beyond 2^53 is rounded.
    public var double: Double? {
        guard case .number(let number) = self else { return nil }
        return number.double
    }

    /// The truth value, if this is one.
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
    /// - Parameter nilLiteral: Nothing.
    public init(nilLiteral: ()) { self = .null }

    /// Creates a truth value.
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

    /// Creates a text.
    ///
    /// - Parameter value: The text.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Creates an array.
    ///
    /// - Parameter elements: The elements.
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }

    /// Creates an object; of two members with one name the later stays.
    ///
    /// - Parameter elements: Names and values.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(Dictionary(elements) { _, later in later })
    }
}
