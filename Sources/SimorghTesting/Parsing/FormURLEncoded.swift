// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

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

    package static func parse(_ text: String) -> [Item] { parse(text.utf8) }

    /// The items in their order.
    ///
    /// There is no malformed form: what is no escape stands for itself.
    package static func parse(_ bytes: some Sequence<UInt8>) -> [Item] {
        Array(bytes).split(separator: UInt8(ascii: "&")).map { pair in
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return Item(
                name: text(of: parts.first ?? []),
                value: parts.count == 2 ? text(of: parts[1]) : ""
            )
        }
    }

    private static func text(of escaped: ArraySlice<UInt8>) -> String {
        String(decoding: PercentEncoding.decodedItem(escaped), as: UTF8.self)
    }
}
