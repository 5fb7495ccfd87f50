// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

extension SchemaCheck {
    /// Returns the number of steps to compare a value with a schema, without the parts of both.
    static func stepCount(for value: JSON, schema: JSON) -> Int {
        var steps = 1 + choices(of: schema)
        if case .object(let members) = value {
            steps += (schema.required.array?.count ?? 0) + members.keys.reduce(0) { $0 + textWeight($1) }
        }
        if case .string(let text) = value { return steps + textWeight(text) - 1 }
        // A choice is compared with the whole value.
        let isCompared = schema.enum.array != nil || schema.object?["const"] != nil
        return isCompared ? steps + weight(of: value) : steps
    }

    /// Returns the number of choices and types that a schema lists.
    static func choices(of schema: JSON) -> Int { (schema.enum.array?.count ?? 0) + (schema.type.array?.count ?? 0) }

    /// Returns the number of values and names in a value, in which each further 64 bytes of a text count as one more.
    static func weight(of value: JSON) -> Int {
        switch value {
        case .null, .bool, .number: 1
        case .string(let text): textWeight(text)
        case .array(let elements): elements.reduce(1) { $0 + weight(of: $1) }
        case .object(let members): members.reduce(1) { $0 + textWeight($1.key) + weight(of: $1.value) }
        }
    }

    private static func textWeight(_ text: String) -> Int { 1 + text.utf8.count / 64 }
}
