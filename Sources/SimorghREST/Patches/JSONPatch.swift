// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// A list of changes to a JSON document (JSON Patch, RFC 6902), sent with ``SimorghCore/RequestBody/jsonPatch(_:)``.
///
/// ```swift
/// let patch: JSONPatch = [.test("/name", "Zal"), .replace("/name", "Rostam"), .remove("/tags/0")]
/// let changed = try patch.applied(to: ["name": "Zal", "tags": ["a"]])
/// try await client.patch("users/7", body: .jsonPatch(patch))
/// ```
public struct JSONPatch: Sendable, Hashable, ExpressibleByArrayLiteral {
    /// One change.
    @nonexhaustive
    public enum Operation: Sendable, Hashable {
        /// Sets a member, or inserts an element before an index; the index `-` is the end of an array.
        case add(JSONPointer, JSON)
        /// Removes the value, which must exist.
        case remove(JSONPointer)
        /// Replaces the value, which must exist.
        case replace(JSONPointer, JSON)
        /// Removes the value at the first pointer, and adds it at the second.
        case move(from: JSONPointer, to: JSONPointer)
        /// Adds a copy of the value at the first pointer at the second.
        case copy(from: JSONPointer, to: JSONPointer)
        /// Fails unless the value at the pointer is equal to this one.
        case test(JSONPointer, JSON)
    }

    /// The bounds on applying a patch.
    ///
    /// A short patch can ask for a large result, because each copy may double the document.
    public struct Limits: Sendable, Hashable {
        /// The largest number of operations.
        ///
        /// Default: 10,000.
        public var operations = 10_000
        /// The largest nesting depth of the document.
        ///
        /// Default and maximum: 128, beyond which no JSON is encoded.
        public var depth = 128
        /// The largest size of the document, and of all copied values together, in bytes.
        ///
        /// Default: 64 MiB.
        ///
        /// The size is an estimate: the bytes of all names and strings, and 16 for each value. All values that the
        /// operations read or write may together have sixteen times this size, which bounds the time. Each element of
        /// an array that an insertion or a removal before it moves counts 4 bytes of that.
        public var size = 64 * 1024 * 1024

        /// Creates the defaults.
        public init() {}
    }

    /// The changes, in the order in which they are applied.
    public var operations: [Operation]

    /// Creates a patch.
    ///
    /// - Parameter operations: The changes.
    public init(_ operations: [Operation] = []) { self.operations = operations }

    /// Creates a patch.
    ///
    /// - Parameter elements: The changes.
    public init(arrayLiteral elements: Operation...) { operations = elements }

    /// A Boolean value that indicates whether the patch changes nothing.
    public var isEmpty: Bool { operations.isEmpty }
}

extension JSONPatch.Operation {
    /// The name of the operation, such as `add`.
    public var name: String { kind.rawValue }

    /// The pointer to the value that the operation changes or tests.
    public var pointer: JSONPointer {
        switch self {
        case .add(let pointer, _), .remove(let pointer), .replace(let pointer, _), .test(let pointer, _): pointer
        case .move(_, let pointer), .copy(_, let pointer): pointer
        }
    }

    private enum Kind: String, Codable {
        case add, remove, replace, move, copy, test
    }

    private var kind: Kind {
        switch self {
        case .add: .add
        case .remove: .remove
        case .replace: .replace
        case .move: .move
        case .copy: .copy
        case .test: .test
        }
    }
}

extension JSONPatch: Codable {
    /// Decodes a patch from an array of operations.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError` for an unknown operation, a missing member, or a malformed pointer.
    public init(from decoder: any Decoder) throws {
        operations = try decoder.singleValueContainer().decode([Operation].self)
    }

    /// Encodes the patch as an array of operations.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: ``/SimorghCore/InvalidRequestError`` for a value that JSON cannot represent, or that is too deep.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(operations)
    }
}

extension JSONPatch.Operation: Codable {
    private enum Key: String, CodingKey {
        case op, path, from, value
    }

    /// Decodes an operation; members that RFC 6902 does not define are ignored.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError` for an unknown operation, a missing member, or a malformed pointer.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let path = try container.decode(JSONPointer.self, forKey: .path)
        // A missing value is an error; `null` is a value.
        func value() throws -> JSON { try container.decode(JSON.self, forKey: .value) }
        func from() throws -> JSONPointer { try container.decode(JSONPointer.self, forKey: .from) }
        switch try container.decode(Kind.self, forKey: .op) {
        case .add: self = .add(path, try value())
        case .remove: self = .remove(path)
        case .replace: self = .replace(path, try value())
        case .move: self = .move(from: try from(), to: path)
        case .copy: self = .copy(from: try from(), to: path)
        case .test: self = .test(path, try value())
        }
    }

    /// Encodes the operation as an object.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: ``/SimorghCore/InvalidRequestError`` for a value that JSON cannot represent, or that is too deep.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(kind, forKey: .op)
        try container.encode(pointer, forKey: .path)
        switch self {
        case .add(_, let value), .replace(_, let value), .test(_, let value):
            try container.encode(value, forKey: .value)
        case .move(let from, _), .copy(let from, _): try container.encode(from, forKey: .from)
        case .remove: break
        }
    }
}
