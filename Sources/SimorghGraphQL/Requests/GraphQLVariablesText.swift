// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// The values of variables as JSON text, which is sent unchanged: decoding it would round large and decimal numbers.
package struct GraphQLVariablesText: Encodable, Sendable {
    /// The JSON, an object.
    package private(set) var json: Data

    package init(json: Data) { self.json = json }

    package func encode(to encoder: any Encoder) throws { try JSON(parsing: json).encode(to: encoder) }

    /// Sets the value at a path to `null`, and adds missing members and the next element of an array.
    ///
    /// - Parameter path: The names and indices.
    /// - Returns: False if a value on the path is a scalar, or an index is beyond the end of its array.
    package mutating func setNull(at path: [Substring]) -> Bool {
        guard var cursor = JSONCursor(Array(json)) else { return false }
        for (depth, component) in path.enumerated() {
            if cursor.isNull {
                guard let text = Self.text(path[depth...]), let range = cursor.range() else { return false }
                replace(range, with: text)
                return true
            }
            let isArray = cursor.isArray
            switch cursor.descend(to: component) {
            case .found: break
            case .impossible: return false
            case .missing(let offset, let isFirst):
                guard let text = Self.text(path[(depth + 1)...]) else { return false }
                let name = isArray ? "" : "\(JSON.string(String(component))):"
                replace(offset..<offset, with: (isFirst ? "" : ",") + name + text)
                return true
            }
        }
        guard let range = cursor.range() else { return false }
        replace(range, with: "null")
        return true
    }

    /// Returns the JSON of objects and arrays around a `null`.
    private static func text(_ path: ArraySlice<Substring>) -> String? {
        var text = "null"
        for component in path.reversed() {
            guard let index = JSONCursor.index(component) else {
                text = "{\(JSON.string(String(component))):\(text)}"
                continue
            }
            guard index == 0 else { return nil }
            text = "[\(text)]"
        }
        return text
    }

    private mutating func replace(_ range: Range<Int>, with text: String) {
        let start = json.startIndex
        json.replaceSubrange((start + range.lowerBound)..<(start + range.upperBound), with: Data(text.utf8))
    }
}
