// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

extension JSON: Codable {
    /// The largest nesting depth of arrays and objects.
    ///
    /// Decoding and encoding recurse once per level, and a document from outside must not exhaust a thread's stack,
    /// which is 512 KiB on some platforms.
    static let maximumDepth = 128

    /// Decodes any JSON value.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError` if the value is not a JSON value, or is nested more than 128 levels deep.
    public init(from decoder: any Decoder) throws {
        if let container = try Self.ifMatching({ try decoder.container(keyedBy: AnyCodingKey.self) }) {
            try Self.checkDepth(of: decoder.codingPath)
            var members: [String: JSON] = [:]
            for key in container.allKeys { members[key.stringValue] = try container.decode(JSON.self, forKey: key) }
            self = .object(members)
            return
        }
        if var container = try Self.ifMatching({ try decoder.unkeyedContainer() }) {
            try Self.checkDepth(of: decoder.codingPath)
            var elements: [JSON] = []
            while !container.isAtEnd { elements.append(try container.decode(JSON.self)) }
            self = .array(elements)
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let text = try Self.ifMatching({ try container.decode(String.self) }) {
            self = .string(text)
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else {
            self = .number(try container.decode(Number.self))
        }
    }

    /// Encodes the value.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: ``InvalidRequestError`` if a number in it is not finite, or it is nested more than 128 levels deep.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let number): try container.encode(number)
        case .string(let text): try container.encode(text)
        case .array(let elements):
            try Self.checkDepth(ofWritten: encoder.codingPath)
            try container.encode(elements)
        case .object(let members):
            try Self.checkDepth(ofWritten: encoder.codingPath)
            try container.encode(members)
        }
    }

    /// Returns the result of a read; `nil` if the value is of another type.
    ///
    /// Corrupted bytes in a value of this type, such as a string that is not UTF-8, are thrown: the next types would
    /// fail as well, and report only that the type does not match.
    private static func ifMatching<Value>(_ read: () throws -> Value) throws -> Value? {
        do {
            return try read()
        } catch let error as DecodingError {
            if case .dataCorrupted = error { throw error }
            return nil
        }
    }

    private static func checkDepth(of path: [any CodingKey]) throws {
        guard path.count < maximumDepth else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "The JSON is nested more than \(maximumDepth) levels deep."))
        }
    }

    private static func checkDepth(ofWritten path: [any CodingKey]) throws(InvalidRequestError) {
        guard path.count < maximumDepth else { throw tooDeep }
    }

    private static var tooDeep: InvalidRequestError {
        InvalidRequestError(.invalidJSON, message: "the value is nested more than \(maximumDepth) levels deep")
    }

    /// Creates a value by parsing bytes.
    ///
    /// - Parameter data: JSON in UTF-8.
    /// - Throws: `DecodingError` with the position at which the bytes are not valid JSON.
    public init(parsing data: Data) throws {
        do {
            self = try JSONDecoder().decode(JSON.self, from: data)
        } catch let error as DecodingError {
            throw error.explained(by: data)
        }
    }

    /// Encodes the value as bytes.
    ///
    /// - Parameters:
    ///   - prettyPrinted: True to format the JSON for people.
    ///   - sortedKeys: True to sort members by name, so that equal values are equal bytes.
    /// - Returns: JSON in UTF-8.
    /// - Throws: ``InvalidRequestError`` if a number in it is not finite, or it is nested more than 128 levels deep.
    public func data(prettyPrinted: Bool = false, sortedKeys: Bool = true) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        if prettyPrinted { encoder.outputFormatting.insert(.prettyPrinted) }
        if sortedKeys { encoder.outputFormatting.insert(.sortedKeys) }
        do {
            return try encoder.encode(self)
        } catch let error as InvalidRequestError {
            throw error
        } catch {
            throw InvalidRequestError(.invalidJSON, message: "the value cannot be written as JSON: \(error)")
        }
    }

    /// Creates a value from dictionaries, arrays and scalars of any type.
    ///
    /// - Parameter value: A `[String: Any]`, an `[Any]`, or a value that they may contain.
    /// - Throws: ``InvalidRequestError`` if it contains a value that JSON cannot represent.
    public init(anyValue value: Any) throws {
        self = try Self.json(of: value, depth: 0)
    }

    private static func json(of value: Any, depth: Int) throws(InvalidRequestError) -> JSON {
        guard depth <= maximumDepth else { throw tooDeep }
        switch value {
        case let value as JSON: return value
        case let value as Bool: return .bool(value)
        case let value as String: return .string(value)
        case let value as Double: return try number(value)
        case let value as Float: return try number(Double(value))
        case let value as any BinaryInteger: return try number(of: value)
        case let value as [String: Any]:
            var members: [String: JSON] = [:]
            for (key, value) in value { members[key] = try json(of: value, depth: depth + 1) }
            return .object(members)
        case let value as [Any]:
            var elements: [JSON] = []
            for value in value { elements.append(try json(of: value, depth: depth + 1)) }
            return .array(elements)
        case Optional<Any>.none: return .null
        default:
            throw InvalidRequestError(
                .invalidJSON, message: "a value of type \(type(of: value)) cannot be represented in JSON")
        }
    }

    private static func number(_ value: Double) throws(InvalidRequestError) -> JSON {
        guard value.isFinite else {
            throw InvalidRequestError(.invalidJSON, message: "JSON cannot represent the number \(value)")
        }
        return .number(Number(value))
    }

    private static func number(of value: any BinaryInteger) throws(InvalidRequestError) -> JSON {
        if let signed = Int64(exactly: value) { return .number(Number(signed)) }
        if let unsigned = UInt64(exactly: value) { return .number(Number(unsigned)) }
        throw InvalidRequestError(.invalidJSON, message: "an integer has more than 64 bits")
    }
}

extension JSON: CustomStringConvertible {
    /// The value as JSON on one line, its members sorted by name.
    public var description: String {
        guard let data = try? data() else { return "JSON that cannot be written" }
        return String(decoding: data, as: UTF8.self)
    }
}
