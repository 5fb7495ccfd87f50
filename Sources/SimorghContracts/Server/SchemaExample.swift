// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// Creates a value that a schema allows, for a response without an example.
struct SchemaExample {
    /// The largest depth of the created value; a deeper one is `null`.
    static let maximumDepth = 16
    /// The largest number of values, in which those of an example and each member that is left out count.
    ///
    /// Further values are `null`, and further members are left out.
    static let maximumValues = 10_000

    private let document: OpenAPIDocument
    private var remaining = Self.maximumValues

    init(_ document: OpenAPIDocument) { self.document = document }

    /// Returns a value: the schema's example, its default or first choice, else one of its type.
    mutating func value(for schema: JSON, depth: Int = 0) throws(ContractDocumentError) -> JSON {
        remaining -= 1
        guard depth < Self.maximumDepth, remaining > 0 else { return .null }
        let schema = try document.resolved(schema)
        let members = schema.object ?? [:]
        for key in ["example", "default", "const"] {
            if let value = members[key] { return taken(value) }
        }
        if let first = schema.examples.array?.first ?? schema.enum.array?.first { return taken(first) }
        if let parts = schema.allOf.array, !parts.isEmpty { return try combined(parts, with: schema, depth: depth) }
        if let first = schema.oneOf.array?.first ?? schema.anyOf.array?.first {
            return try value(for: first, depth: depth + 1)
        }
        let types = SchemaCheck.listedTypes(of: schema)
        let type = types.first(where: { $0 != "null" }) ?? (schema.properties.isNull ? types.first : "object")
        switch type {
        case "object": return .object(try object(of: schema, depth: depth))
        case "array":
            let count = min(max(schema.minItems.int ?? 1, schema.items.isNull ? 0 : 1), 10)
            var elements: [JSON] = []
            for _ in 0..<count { elements.append(try value(for: schema.items, depth: depth + 1)) }
            return .array(elements)
        case "integer", "number": return schema.minimum.isNull ? 0 : schema.minimum
        case "boolean": return true
        case "string": return .string(Self.text(schema))
        default: return .null
        }
    }

    /// Returns a value of the document, and counts the values in it.
    private mutating func taken(_ value: JSON) -> JSON {
        remaining -= SchemaCheck.weight(of: value) - 1
        return value
    }

    private mutating func combined(
        _ parts: [JSON], with schema: JSON, depth: Int
    ) throws(ContractDocumentError) -> JSON {
        var members = try object(of: schema, depth: depth)
        for part in parts {
            let value = try self.value(for: part, depth: depth + 1)
            guard case .object(let more) = value else {
                if members.isEmpty { return value }
                continue
            }
            members.merge(more) { own, _ in own }
        }
        return .object(members)
    }

    private mutating func object(of schema: JSON, depth: Int) throws(ContractDocumentError) -> [String: JSON] {
        var members: [String: JSON] = [:]
        let properties = schema.properties.object ?? [:]
        // At the end of a schema that refers to itself, only what is required is left.
        let names: [String] =
            depth < Self.maximumDepth / 2
            ? properties.keys.sorted() : (schema.required.array ?? []).compactMap(\.string)
        for name in names {
            guard remaining > 0 else { break }
            guard let property = properties[name], members[name] == nil,
                try document.resolved(property).writeOnly != .bool(true)
            else {
                remaining -= 1
                continue
            }
            members[name] = try value(for: property, depth: depth + 1)
        }
        return members
    }

    private static func text(_ schema: JSON) -> String {
        switch schema.format.string {
        case "date-time": return "2026-01-02T03:04:05Z"
        case "date": return "2026-01-02"
        case "uuid": return "00000000-0000-4000-8000-000000000000"
        case "email": return "zal@example.com"
        case "uri", "url": return "https://example.com/"
        default:
            let least = min(max(0, schema.minLength.int ?? 0), 1000)
            let most = max(least, schema.maxLength.int ?? .max)
            return least > 6 ? String(repeating: "a", count: least) : String("string".prefix(most))
        }
    }
}
