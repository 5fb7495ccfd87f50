// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The operations of a GraphQL document: their kinds and names.
///
/// The document is only split into tokens, not validated. The operations of a valid document (GraphQL, September 2025)
/// are always found, up to ``maximumOperations``. The kind decides which requests may use GET and may be repeated, so
/// a document that is not understood has no kind.
package struct GraphQLDocument: Sendable, Equatable {
    /// The kind of an operation.
    package enum Kind: String, Sendable {
        case query, mutation, subscription
    }

    /// An operation.
    package struct Operation: Sendable, Equatable {
        package let kind: Kind
        package let name: String?
    }

    /// The largest number of operations that are read.
    package static let maximumOperations = 1000

    /// The operations in order; empty if the document is not understood.
    package let operations: [Operation]

    /// Reads a document.
    ///
    /// - Parameter text: The document.
    package init(_ text: String) {
        var tokens = Tokens(text)
        operations = Self.read(&tokens) ?? []
    }

    /// Returns the kind of the operation that a server executes.
    ///
    /// - Parameter name: The name of the operation; `nil` for the only one.
    /// - Returns: The kind; `nil` if there is no such operation.
    package func kind(named name: String?) -> Kind? {
        guard let name, !name.isEmpty else { return operations.count == 1 ? operations[0].kind : nil }
        let found = operations.filter { $0.name == name }
        return found.count == 1 ? found[0].kind : nil
    }

    /// Returns the operations; `nil` if the document is not understood.
    private static func read(_ tokens: inout Tokens) -> [Operation]? {
        var operations: [Operation] = []
        while let token = tokens.next() {
            switch token {
            case .open("{"):
                operations.append(Operation(kind: .query, name: nil))
                guard tokens.skipToClosing() else { return nil }
            case .string:
                // The description of an operation or a fragment. The short form of a query cannot have one.
                guard tokens.isBeforeName else { return nil }
            case .name("fragment"):
                guard tokens.skipSelection() else { return nil }
            case .name(let word):
                guard let kind = Kind(rawValue: word) else { return nil }
                let name = tokens.takeName()
                operations.append(Operation(kind: kind, name: name))
                guard tokens.skipSelection() else { return nil }
            default: return nil
            }
            guard operations.count <= maximumOperations else { return nil }
        }
        return tokens.isValid ? operations : nil
    }
}

extension GraphQLDocument {
    /// A token, as far as the structure of a document depends on it.
    private enum Token: Equatable {
        case name(String)
        case open(Character)
        case close
        case string
        case other
    }

    /// The tokens of a document (GraphQL, section 2.1).
    private struct Tokens {
        private let bytes: [UInt8]
        private var position = 0
        /// False after a string without an end.
        private(set) var isValid = true

        init(_ text: String) { bytes = Array(text.utf8) }

        mutating func next() -> Token? {
            skipIgnored()
            guard position < bytes.count else { return nil }
            let byte = bytes[position]
            if Self.isNameStart(byte) {
                let start = position
                while position < bytes.count, Self.isNameStart(bytes[position]) || Self.isDigit(bytes[position]) {
                    position += 1
                }
                return .name(String(decoding: bytes[start..<position], as: UTF8.self))
            }
            position += 1
            switch byte {
            case UInt8(ascii: "{"): return .open("{")
            case UInt8(ascii: "("): return .open("(")
            case UInt8(ascii: "["): return .open("[")
            case UInt8(ascii: "}"), UInt8(ascii: ")"), UInt8(ascii: "]"): return .close
            case UInt8(ascii: "\""):
                skipString()
                return isValid ? .string : nil
            default: return .other
            }
        }

        /// Returns the name that follows; `nil` and no change if another token follows.
        mutating func takeName() -> String? {
            let start = self
            guard case .name(let name)? = next() else {
                self = start
                return nil
            }
            return name
        }

        /// True if the next token is a name.
        var isBeforeName: Bool {
            var next = self
            return next.takeName() != nil
        }

        /// Skips to the end of the next selection set at this depth.
        mutating func skipSelection() -> Bool {
            while let token = next() {
                switch token {
                case .open("{"): return skipToClosing()
                case .open: guard skipToClosing() else { return false }
                case .close: return false
                case .name, .string, .other: break
                }
            }
            return false
        }

        /// Skips to the bracket that closes the last one.
        mutating func skipToClosing() -> Bool {
            var depth = 1
            while let token = next() {
                switch token {
                case .open: depth += 1
                case .close: depth -= 1
                case .name, .string, .other: break
                }
                if depth == 0 { return true }
            }
            return false
        }

        private mutating func skipIgnored() {
            while position < bytes.count {
                switch bytes[position] {
                case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","): position += 1
                case UInt8(ascii: "#"):
                    while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D { position += 1 }
                case 0xEF where follows([0xEF, 0xBB, 0xBF]): position += 3
                default: return
                }
            }
        }

        /// Skips a string or a block string, whose first quote was read.
        private mutating func skipString() {
            let quote = UInt8(ascii: "\"")
            if follows([quote]) {
                position += 1
                // Two quotes are an empty string, three begin a block string.
                guard follows([quote]) else { return }
                position += 1
                while position < bytes.count {
                    switch bytes[position] {
                    case quote where follows([quote, quote, quote]):
                        position += 3
                        return
                    case UInt8(ascii: "\\") where follows([UInt8(ascii: "\\"), quote, quote, quote]): position += 4
                    default: position += 1
                    }
                }
            } else {
                while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D {
                    switch bytes[position] {
                    case quote:
                        position += 1
                        return
                    case UInt8(ascii: "\\"): position = min(position + 2, bytes.count)
                    default: position += 1
                    }
                }
            }
            isValid = false
            position = bytes.count
        }

        private func follows(_ text: [UInt8]) -> Bool { bytes[position...].starts(with: text) }

        private static func isNameStart(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
            default: false
            }
        }

        private static func isDigit(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
    }
}
