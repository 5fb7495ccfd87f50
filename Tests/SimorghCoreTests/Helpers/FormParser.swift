// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// Parses `application/x-www-form-urlencoded` into names and values as in the WHATWG URL standard.
func formParsed(_ text: String) -> [QueryItem] {
    text.utf8.split(separator: UInt8(ascii: "&")).map { pair in
        let name = pair.prefix { $0 != UInt8(ascii: "=") }
        return QueryItem(name: decoded(name), value: decoded(pair.dropFirst(name.count + 1)))
    }
}

private func decoded(_ bytes: Substring.UTF8View) -> String {
    var result: [UInt8] = []
    var rest = Array(bytes)[...]
    while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "+") {
            result.append(0x20)
        } else if byte == UInt8(ascii: "%"), rest.count >= 2,
            let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
        {
            result.append(value)
            rest = rest.dropFirst(2)
        } else {
            result.append(byte)
        }
    }
    return String(decoding: result, as: UTF8.self)
}
