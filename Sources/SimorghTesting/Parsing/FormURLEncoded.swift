// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// Reads `application/x-www-form-urlencoded` as the WHATWG URL standard says.
package enum FormURLEncoded {
    /// One name and its value.
    package struct Item: Hashable, Sendable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// One name and its value as bytes, which need not be UTF-8.
    package struct Pair: Hashable, Sendable {
        package let name: [UInt8]
        package let value: [UInt8]
    }

    package static func parse(_ text: String) -> [Item] { parse(text.utf8) }

    /// The items in their order.
    ///
    /// There is no malformed form: what is no escape stands for itself.
    package static func parse(_ bytes: some Sequence<UInt8>) -> [Item] {
        pairs(bytes).map {
            Item(name: String(decoding: $0.name, as: UTF8.self), value: String(decoding: $0.value, as: UTF8.self))
        }
    }

    /// The items in their order, with every escape undone and nothing replaced.
    package static func pairs(_ bytes: some Sequence<UInt8>) -> [Pair] {
        Array(bytes).split(separator: UInt8(ascii: "&")).map { pair in
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return Pair(
                name: PercentEncoding.decodedItem(parts.first ?? []),
                value: parts.count == 2 ? PercentEncoding.decodedItem(parts[1]) : [])
        }
    }
}
