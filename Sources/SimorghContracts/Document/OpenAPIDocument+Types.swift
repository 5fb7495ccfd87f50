// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

extension OpenAPIDocument {
    /// The largest number of schemas that are read to find the types of a parameter.
    static let maximumParts = 1000

    /// Returns a schema and its parts and alternatives, all without references; at most ``maximumParts``.
    func parts(of schema: JSON) throws(ContractDocumentError) -> [JSON] {
        var found: [JSON] = []
        var waiting = [schema]
        while let next = waiting.popLast() {
            let part = try resolved(next)
            found.append(part)
            for list in [part.allOf, part.anyOf, part.oneOf] {
                waiting += (list.array ?? []).prefix(Self.maximumParts - found.count - waiting.count)
            }
        }
        return found
    }

    /// Returns the types that a schema names, also in its parts and alternatives; empty if it names none.
    func types(of schema: JSON) throws(ContractDocumentError) -> Set<String> {
        var found: Set<String> = []
        for part in try parts(of: schema) {
            let types = SchemaCheck.types(of: part)
            found.formUnion(types.isEmpty ? Self.impliedTypes(of: part) : types)
        }
        return found
    }

    /// Returns the types of the elements of a list.
    func elementTypes(of schema: JSON) throws(ContractDocumentError) -> Set<String> {
        var found: Set<String> = []
        for part in try parts(of: schema) where !part.items.isNull { found.formUnion(try types(of: part.items)) }
        return found
    }

    /// Returns the types of the values that a schema without a type lists.
    private static func impliedTypes(of schema: JSON) -> [String] {
        if !schema.properties.isNull { return ["object"] }
        var values = schema.enum.array ?? []
        if let value = schema.object?["const"] { values.append(value) }
        return values.flatMap { SchemaCheck.kinds(of: $0) }
    }
}
