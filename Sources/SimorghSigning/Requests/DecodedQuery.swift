// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The items of a query as bytes, which a signature encodes anew.
enum DecodedQuery {
    /// Returns the decoded items; the value of an item without an equals sign is empty.
    static func items(_ query: Substring) -> [(name: [UInt8], value: [UInt8])] {
        query.utf8.split(separator: UInt8(ascii: "&")).map { item in
            let name = item.prefix { $0 != UInt8(ascii: "=") }
            return (PercentEncoding.decodedItem(name), PercentEncoding.decodedItem(item.dropFirst(name.count + 1)))
        }
    }
}
