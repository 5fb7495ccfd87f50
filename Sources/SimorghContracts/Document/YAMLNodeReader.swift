// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if YAML
import Foundation
import SimorghCore
import Yams

/// Converts the nodes of a YAML document to JSON.
struct YAMLNodeReader {
    /// The number of values that may still be read; an alias counts with all values of its anchor.
    var remaining: Int
    let maximumDepth: Int

    mutating func json(from node: Node, depth: Int) throws(ContractDocumentError) -> JSON {
        guard depth < maximumDepth else {
            throw ContractDocumentError("the document is nested more than \(maximumDepth) levels deep")
        }
        remaining -= 1
        guard remaining >= 0 else {
            throw ContractDocumentError("the document has too many values, counting each use of an alias")
        }
        switch node {
        case .scalar(let scalar): return Self.json(from: scalar)
        case .sequence(let sequence):
            var elements: [JSON] = []
            for element in sequence { elements.append(try json(from: element, depth: depth + 1)) }
            return .array(elements)
        case .mapping(let mapping): return try json(from: mapping, depth: depth)
        case .alias: throw ContractDocumentError("the document has an alias without an anchor")
        }
    }

    private mutating func json(from mapping: Node.Mapping, depth: Int) throws(ContractDocumentError) -> JSON {
        var (members, merged): ([String: JSON], [JSON]) = ([:], [])
        for (key, value) in mapping {
            guard case .scalar(let scalar) = key else {
                throw ContractDocumentError("a key of the document is not text, which OpenAPI does not allow in YAML")
            }
            let json = try self.json(from: value, depth: depth + 1)
            if scalar.string == "<<", scalar.style == .plain {
                merged += json.array ?? [json]
            } else {
                members[scalar.string] = json
            }
        }
        // The mapping's own members win, then those of the first merged one.
        for other in merged { members.merge(other.object ?? [:]) { own, _ in own } }
        return .object(members)
    }

    /// Resolves a scalar by the core schema of YAML 1.2: only plain ones can be another type than text.
    private static func json(from scalar: Node.Scalar) -> JSON {
        let text = scalar.string
        guard scalar.style == .plain else { return .string(text) }
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        default:
            guard let first = text.utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first),
                let json = try? JSON(parsing: Data(text.utf8)), case .number = json
            else { return .string(text) }
            return json
        }
    }
}

/// Finds keys that are not text in a YAML document with anchors, before it is parsed.
///
/// The parser hashes each key. If a key contains aliases of aliases, that takes exponential time. A key without a question
/// mark is on one line, so an alias on an earlier line is not part of it. The scanner does not parse: it may also find
/// such text in a comment or in a block of text, but only in a document with an anchor.
struct YAMLKeyScanner {
    /// True if the document has an anchor, and a key that may contain an alias.
    let hasAliasInKey: Bool

    init(_ bytes: Data) {
        var hasAnchor = false
        var hasComplexKey = false
        var previous = UInt8(ascii: "\n")
        /// True within an alias, from its asterisk to the end of its name.
        var isInAlias = false
        var lineHasAlias = false
        /// True behind an alias, or a bracket with an alias before it, up to the next byte that is not blank.
        var endsKey = false
        /// The ampersand or question mark that begins a word and was the previous byte.
        var indicator: UInt8?
        for byte in bytes {
            let isBlank = byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
            let begins = previous <= 0x20 || "[{,?:".utf8.contains(previous)
            if indicator == UInt8(ascii: "&"), !isBlank { hasAnchor = true }
            // An explicit key: a question mark before a blank, in a flow mapping also before the key itself.
            if indicator == UInt8(ascii: "?"), isBlank || "[{*&".utf8.contains(byte) { hasComplexKey = true }
            indicator = begins && "&?".utf8.contains(byte) ? byte : nil
            if isInAlias, !Self.isNameByte(byte) {
                (isInAlias, endsKey) = (false, true)
            }
            if byte == UInt8(ascii: ":"), endsKey { hasComplexKey = true }
            if byte == UInt8(ascii: "*"), begins { (isInAlias, lineHasAlias) = (true, true) }
            if byte == 0x0A { lineHasAlias = false }
            if "]}".utf8.contains(byte) {
                endsKey = lineHasAlias
            } else if !isBlank || byte == 0x0A {
                endsKey = false
            }
            previous = byte
        }
        hasAliasInKey = hasAnchor && hasComplexKey
    }

    /// Returns true for a byte of the name of an anchor.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
#endif
