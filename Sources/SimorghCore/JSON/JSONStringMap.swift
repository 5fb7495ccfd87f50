// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A map of the JSON strings in a text.
///
/// The map is empty for a text that is not treated as JSON.
struct JSONStringMap {
    /// True for each byte of a string, including its quotes.
    private let isInside: [Bool]
    /// The length of the text.
    private let count: Int
    /// The end of the string that was found last.
    private var lastEnd = 0

    /// Creates a map.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - isJSON: True to look for strings.
    init(of bytes: [UInt8], isJSON: Bool) {
        count = bytes.count
        guard isJSON else {
            isInside = []
            return
        }
        var quotes = JSONQuotes()
        isInside = bytes.map { byte in
            // A JSON string does not continue on the next line.
            if byte == 0x0A { quotes = JSONQuotes() }
            return quotes.take(byte)
        }
    }

    /// True if the text is not treated as JSON.
    var isEmpty: Bool { isInside.isEmpty }

    /// Returns true if the byte at an index is inside a string; false for an index out of bounds.
    func contains(_ index: Int) -> Bool { isInside.indices.contains(index) && isInside[index] }

    /// Finds the end of the string around an index.
    ///
    /// - Parameters:
    ///   - index: The index.
    ///   - bytes: The text that the map was created from.
    /// - Returns: The index of the closing quote; the end of the text if the index is outside of strings.
    mutating func end(around index: Int, in bytes: [UInt8]) -> Int {
        guard contains(index) else { return count }
        // This is called for each word of a long string, so the end is cached.
        if index < lastEnd { return lastEnd }
        lastEnd = index + 1
        while contains(lastEnd) {
            if bytes[lastEnd] == UInt8(ascii: "\""), !contains(lastEnd + 1) { break }
            lastEnd += 1
        }
        return lastEnd
    }
}
