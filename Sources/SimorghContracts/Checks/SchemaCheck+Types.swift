// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

extension SchemaCheck {
    /// The largest number of schemas that are read to find the types of a parameter, or those of its elements.
    static let maximumParts = 1000

    /// Returns a schema and its parts and alternatives, all without references; at most ``maximumParts``.
    ///
    /// - Throws: ``ContractDocumentError`` for a reference to nothing, and beyond the number of steps.
    mutating func parts(of schema: JSON) throws(ContractDocumentError) -> [JSON] {
        var remaining = Self.maximumParts
        return try parts(of: schema, remaining: &remaining)
    }

    /// Returns the types that a schema names, also in its parts and alternatives; empty if it names none.
    mutating func types(of schema: JSON) throws(ContractDocumentError) -> Set<String> {
        var remaining = Self.maximumParts
        return try types(of: schema, remaining: &remaining)
    }

    /// Returns the types of the elements of a list.
    mutating func elementTypes(of schema: JSON) throws(ContractDocumentError) -> Set<String> {
        var remaining = Self.maximumParts
        var found: Set<String> = []
        for part in try parts(of: schema, remaining: &remaining) where !part.items.isNull {
            found.formUnion(try types(of: part.items, remaining: &remaining))
        }
        return found
    }

    private mutating func parts(of schema: JSON, remaining: inout Int) throws(ContractDocumentError) -> [JSON] {
        var found: [JSON] = []
        var waiting = [schema]
        while remaining > 0, let next = waiting.popLast() {
            remaining -= 1
            var references = 0
            let part = try document.resolved(next, references: &references)
            try addSteps(1 + references)
            found.append(part)
            for list in [part.allOf, part.anyOf, part.oneOf] {
                waiting += (list.array ?? []).prefix(max(0, remaining - waiting.count))
            }
        }
        return found
    }

    private mutating func types(of schema: JSON, remaining: inout Int) throws(ContractDocumentError) -> Set<String> {
        var found: Set<String> = []
        for part in try parts(of: schema, remaining: &remaining) {
            try addSteps(Self.choices(of: part))
            let types = Self.listedTypes(of: part)
            found.formUnion(types.isEmpty ? Self.impliedTypes(of: part) : types)
        }
        return found
    }

    /// Returns the types of the values that a schema without a type lists.
    private static func impliedTypes(of schema: JSON) -> [String] {
        if !schema.properties.isNull { return ["object"] }
        var values = schema.enum.array ?? []
        if let value = schema.object?["const"] { values.append(value) }
        return values.flatMap { kinds(of: $0) }
    }
}
