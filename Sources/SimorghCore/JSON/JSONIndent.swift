// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A formatter that lays JSON out for people: two spaces for each level, a space on each side of a colon.
package enum JSONIndent {
    /// The depth beyond which lines are not indented further.
    private static let maximumDepth = 64

    /// Returns the formatted lines of a text; the original lines if the text is not JSON.
    ///
    /// - Parameter text: The JSON; several consecutive values are formatted one by one.
    /// - Returns: The lines.
    package static func lines(of text: String) -> [String] {
        guard let first = text.utf8.first(where: { !$0.isJSONSpace }), "{[".utf8.contains(first) else {
            return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
        var lines: [String] = []
        var line: [UInt8] = []
        var depth = 0
        var quotes = JSONQuotes()
        var isFresh = false

        func end() {
            if !line.allSatisfy({ $0 == 0x20 }) { lines.append(String(decoding: line, as: UTF8.self)) }
            line = Array(repeating: 0x20, count: 2 * min(depth, maximumDepth))
        }
        for byte in text.utf8 {
            switch byte {
            case _ where quotes.take(byte): line.append(byte)
            case 0x20, 0x09, 0x0D: continue
            case 0x0A where depth > 0: continue
            case 0x0A: end()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                line.append(byte)
                depth += 1
                end()
                isFresh = true
                continue
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth = max(0, depth - 1)
                if isFresh, let last = lines.popLast() {
                    line = Array(last.utf8)
                } else {
                    end()
                }
                line.append(byte)
            case UInt8(ascii: ","):
                line.append(byte)
                end()
            case UInt8(ascii: ":"): line += " : ".utf8
            default: line.append(byte)
            }
            isFresh = false
        }
        depth = 0
        end()
        return lines
    }
}
