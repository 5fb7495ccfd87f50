// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The target of a request, whose query can be changed item by item; what is not changed stays to the letter.
package struct QueryTarget {
    private let path: Substring
    /// The items as they stand in the query; `nil` where there is none.
    private var items: [Substring]?

    package init(_ target: String) {
        let halves = target[...].halves(at: "?")
        path = halves?.before ?? target[...]
        items = halves?.behind.cut(at: "&")
    }

    /// The target with its query.
    package var text: String { items.map { "\(path)?\($0.joined(separator: "&"))" } ?? String(path) }

    /// Whether there is an item of a name.
    package func has(_ name: String) -> Bool { items?.contains { Self.name(of: $0) == name } ?? false }

    /// Takes out every item of a name.
    package mutating func remove(_ name: String) {
        items?.removeAll { Self.name(of: $0) == name }
        if items?.isEmpty == true { items = nil }
    }

    /// Takes out every item of a name that another target has just so.
    package mutating func remove(_ name: String, heldBy other: QueryTarget) {
        let held = other.items ?? []
        items?.removeAll { Self.name(of: $0) == name && held.contains($0) }
        if items?.isEmpty == true { items = nil }
    }

    /// Adds an item at the end; both texts are escaped here.
    package mutating func append(_ name: String, _ value: String) {
        let item = [QueryItem(name, value)].encoded[...]
        // A query of nothing is one item of nothing.
        items = items.map { $0 == [""] ? [item] : $0 + [item] } ?? [item]
    }

    private static func name(of item: Substring) -> String {
        let name = item.utf8.prefix { $0 != UInt8(ascii: "=") }
        return String(decoding: PercentEncoding.decodedItem(name), as: UTF8.self)
    }
}
