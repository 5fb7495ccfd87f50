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
#endif
