// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// The location of a value in a JSON document (RFC 6901), such as `/tags/0` or `/a~1b`.
///
/// ```swift
/// let pointer: JSONPointer = "/user/tags/0"
/// let member = JSONPointer(tokens: ["user", "a/b"])  // "/user/a~1b"
/// ```
/// In text, `~1` stands for a slash in a name and `~0` for a tilde. The empty pointer is the whole document.
public struct JSONPointer: Sendable, Hashable {
    /// The names of members and the indexes of elements, from the root, without escapes.
    public var tokens: [String]

    /// The pointer to the whole document.
    public static let root = JSONPointer(tokens: [])

    /// Creates a pointer from names and indexes.
    ///
    /// - Parameter tokens: The names and indexes, as plain text.
    public init(tokens: [String]) { self.tokens = tokens }

    /// Creates a pointer by parsing text.
    ///
    /// - Parameter text: The text: empty, or names and indexes that each follow a slash.
    /// - Throws: ``JSONPointerError`` if the text is no pointer.
    public init(parsing text: String) throws { self = try Self.parsed(text) }

    /// Does the same as ``init(parsing:)``, with a typed error.
    static func parsed(_ text: String) throws(JSONPointerError) -> JSONPointer {
        guard !text.isEmpty else { return .root }
        // By bytes: a combining character after a slash or a tilde would join it to another character.
        guard text.utf8.first == slash else { throw JSONPointerError(text, "does not begin with a slash") }
        var tokens: [String] = []
        for part in text.utf8.dropFirst().split(separator: slash, omittingEmptySubsequences: false) {
            var token: [UInt8] = []
            var isEscaped = false
            for byte in part {
                if isEscaped {
                    guard byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1") else {
                        throw JSONPointerError(text, "has a tilde that neither 0 nor 1 follows")
                    }
                    token.append(byte == UInt8(ascii: "0") ? tilde : slash)
                    isEscaped = false
                } else if byte == tilde {
                    isEscaped = true
                } else {
                    token.append(byte)
                }
            }
            guard !isEscaped else { throw JSONPointerError(text, "has a tilde that neither 0 nor 1 follows") }
            tokens.append(String(decoding: token, as: UTF8.self))
        }
        return JSONPointer(tokens: tokens)
    }

    private static let slash = UInt8(ascii: "/")
    private static let tilde = UInt8(ascii: "~")

    /// Returns the pointer to a member or an element of the value at this pointer.
    ///
    /// - Parameter token: The name or the index, as plain text.
    /// - Returns: The pointer.
    public func appending(_ token: String) -> JSONPointer { JSONPointer(tokens: tokens + [token]) }

    /// Returns true if a pointer leads to a value inside the value at this pointer.
    func isProperPrefix(of other: JSONPointer) -> Bool {
        tokens.count < other.tokens.count && other.tokens.starts(with: tokens)
    }

    /// Returns the index of an array that a token stands for; `nil` for a token that is no index (RFC 6901, section 4).
    static func index(_ token: String) -> Int? {
        let bytes = token.utf8
        guard !bytes.isEmpty, bytes.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            bytes.count == 1 || bytes.first != UInt8(ascii: "0")
        else { return nil }
        return Int(token)
    }
}

extension JSONPointer: CustomStringConvertible {
    /// The pointer as text, with escapes.
    public var description: String {
        var bytes: [UInt8] = []
        for token in tokens {
            bytes.append(Self.slash)
            for byte in token.utf8 {
                switch byte {
                case Self.tilde: bytes += "~0".utf8
                case Self.slash: bytes += "~1".utf8
                default: bytes.append(byte)
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension JSONPointer: ExpressibleByStringLiteral {
    /// Creates a pointer from text in source code; for other text use ``init(parsing:)``.
    ///
    /// - Parameter value: The text. A first slash that is missing is added. Text with an invalid escape is the name of a
    ///   single member.
    public init(stringLiteral value: String) {
        let text = value.isEmpty || value.utf8.first == Self.slash ? value : "/" + value
        self = (try? Self.parsed(text)) ?? JSONPointer(tokens: [value])
    }
}

extension JSONPointer: Codable {
    /// Decodes a pointer from a string.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError` if the value is not a string, or the string is no pointer.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do {
            self = try Self.parsed(text)
        } catch {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
        }
    }

    /// Encodes the pointer as a string.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: The error of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension JSON {
    /// The value at a pointer; `nil` if there is no such value.
    ///
    /// Unlike the other subscripts, it distinguishes a missing member from one that is `null`.
    ///
    /// - Parameter pointer: The pointer.
    public subscript(at pointer: JSONPointer) -> JSON? {
        var value = self
        for token in pointer.tokens {
            switch value {
            case .object(let members):
                guard let member = members[token] else { return nil }
                value = member
            case .array(let elements):
                guard let index = JSONPointer.index(token), elements.indices.contains(index) else { return nil }
                value = elements[index]
            case .null, .bool, .number, .string: return nil
            }
        }
        return value
    }
}

/// An error for text that is no JSON Pointer.
public struct JSONPointerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The text.
    public let text: String
    /// The fault.
    public let message: String

    init(_ text: String, _ message: String) {
        self.text = text
        self.message = message
    }

    /// A message with the text and the fault.
    public var description: String { "\"\(text.prefix(200))\" is no JSON Pointer: it \(message)" }
}
