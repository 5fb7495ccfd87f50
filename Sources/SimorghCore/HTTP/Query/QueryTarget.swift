// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A request target whose query can be edited item by item; unedited parts stay unchanged.
package struct QueryTarget {
    private let path: Substring
    /// The items as written in the query; `nil` if there is no query.
    private var items: [Substring]?

    package init(_ target: String) {
        let halves = target[...].halves(at: "?")
        path = halves?.before ?? target[...]
        items = halves?.behind.cut(at: "&")
    }

    /// The target with its query.
    package var text: String { items.map { "\(path)?\($0.joined(separator: "&"))" } ?? String(path) }

    /// Returns true if the query has an item of a name.
    package func has(_ name: String) -> Bool { items?.contains { Self.name(of: $0) == name } ?? false }

    /// Returns true if the query has an item whose name, in lowercase, is in a set.
    package func hasAny(of names: Set<String>) -> Bool {
        items?.contains { names.contains(Self.name(of: $0).lowercased()) } ?? false
    }

    /// Removes every item of a name.
    package mutating func remove(_ name: String) {
        items?.removeAll { Self.name(of: $0) == name }
        if items?.isEmpty == true { items = nil }
    }

    /// Removes every item of a name that another target has with the same text.
    package mutating func remove(_ name: String, presentIn other: QueryTarget) {
        let present = other.items ?? []
        items?.removeAll { Self.name(of: $0) == name && present.contains($0) }
        if items?.isEmpty == true { items = nil }
    }

    /// Appends an item; escapes the name and the value.
    package mutating func append(name: String, value: String) {
        let item = [QueryItem(name: name, value: value)].encoded[...]
        // An empty query is parsed as one empty item.
        items = items.map { $0 == [""] ? [item] : $0 + [item] } ?? [item]
    }

    private static func name(of item: Substring) -> String {
        let name = item.utf8.prefix { $0 != UInt8(ascii: "=") }
        return String(decoding: PercentEncoding.decodedItem(name), as: UTF8.self)
    }
}
