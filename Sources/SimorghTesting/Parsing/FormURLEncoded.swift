// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// Parses `application/x-www-form-urlencoded` according to the WHATWG URL standard.
package enum FormURLEncoded {
    /// A name and its value.
    package struct Item: Hashable, Sendable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A name and its value as bytes, which need not be UTF-8.
    package struct Pair: Hashable, Sendable {
        package let name: [UInt8]
        package let value: [UInt8]
    }

    package static func parse(_ text: String) -> [Item] { parse(text.utf8) }

    /// Returns the items in order.
    ///
    /// No input is malformed: an invalid escape is kept as it is.
    package static func parse(_ bytes: some Sequence<UInt8>) -> [Item] {
        pairs(bytes).map {
            Item(name: String(decoding: $0.name, as: UTF8.self), value: String(decoding: $0.value, as: UTF8.self))
        }
    }

    /// Returns the items in order, with every escape decoded and no invalid UTF-8 replaced.
    package static func pairs(_ bytes: some Sequence<UInt8>) -> [Pair] {
        Array(bytes).split(separator: UInt8(ascii: "&")).map { pair in
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return Pair(
                name: PercentEncoding.decodedItem(parts.first ?? []),
                value: parts.count == 2 ? PercentEncoding.decodedItem(parts[1]) : [])
        }
    }
}
