// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A member of a partial value: absent, `null`, or a value.
///
/// ```swift
/// struct UserChanges: Codable {
///     var name = Patched<String>.absent
///     var email = Patched<String>.absent
/// }
/// // Sends {"email": null}: the name stays as it is, the address is removed.
/// try await client.patch("users/7", body: .mergePatch(UserChanges(email: .null)))
/// ```
/// As a property of a `Codable` type, an absent member is not encoded, and a member that is missing is decoded as absent.
public enum Patched<Value> {
    /// The member is left out, so that a merge patch does not change it.
    case absent
    /// The member is `null`, so that a merge patch removes it.
    case null
    /// The member has a value.
    case value(Value)

    /// Creates a value, or `null` for `nil`.
    ///
    /// - Parameter value: The value.
    public init(_ value: Value?) { self = value.map(Patched.value) ?? .null }

    /// The value; `nil` if the member is absent or `null`.
    public var value: Value? {
        guard case .value(let value) = self else { return nil }
        return value
    }

    /// A Boolean value that indicates whether the member is left out.
    public var isAbsent: Bool {
        guard case .absent = self else { return false }
        return true
    }

    /// Returns an optional value with the change of this member.
    ///
    /// - Parameter current: The current value.
    /// - Returns: The current value if the member is absent.
    public func applied(to current: Value?) -> Value? { isAbsent ? current : value }
}

extension Patched: Sendable where Value: Sendable {}
extension Patched: Equatable where Value: Equatable {}
extension Patched: Hashable where Value: Hashable {}

extension Patched: Encodable where Value: Encodable {
    /// Encodes the value or `null`.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: `EncodingError` for ``absent`` in a place that cannot be left out, such as an element of an array.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .value(let value): try container.encode(value)
        case .absent:
            throw EncodingError.invalidValue(
                self,
                .init(codingPath: encoder.codingPath, debugDescription: "an absent value can only be a member"))
        }
    }
}

extension Patched: Decodable where Value: Decodable {
    /// Decodes the value or `null`.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError` if there is another value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = container.decodeNil() ? .null : .value(try container.decode(Value.self))
    }
}

// The code that the compiler writes for a `Codable` type calls these overloads.

extension KeyedEncodingContainer {
    /// Encodes a member unless it is absent.
    ///
    /// - Parameters:
    ///   - value: The member.
    ///   - key: Its name.
    /// - Throws: The error of the value's encoding.
    public mutating func encode<Value: Encodable>(_ value: Patched<Value>, forKey key: Key) throws {
        switch value {
        case .absent: break
        case .null: try encodeNil(forKey: key)
        case .value(let value): try encode(value, forKey: key)
        }
    }
}

extension KeyedDecodingContainer {
    /// Decodes a member; a missing one is absent.
    ///
    /// - Parameters:
    ///   - type: The type of the member.
    ///   - key: Its name.
    /// - Returns: The member.
    /// - Throws: The error of the value's decoding.
    public func decode<Value: Decodable>(
        _ type: Patched<Value>.Type, forKey key: Key
    ) throws -> Patched<Value> {
        guard contains(key) else { return .absent }
        return try decodeNil(forKey: key) ? .null : .value(try decode(Value.self, forKey: key))
    }
}
