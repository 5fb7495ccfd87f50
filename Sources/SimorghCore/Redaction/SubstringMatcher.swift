// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A set of lowercase substrings with a fast "contains any" test, which runs for each word of a log.
struct SubstringMatcher: Sendable {
    /// The substrings by their first letter.
    private let byLetter: [[[UInt8]]]
    private static let letters = UInt8(ascii: "a")...UInt8(ascii: "z")

    init(_ parts: [String]) {
        let parts = parts.map { Array($0.utf8) }
        byLetter = Self.letters.map { letter in parts.filter { $0.first == letter } }
    }

    /// Returns true if a name contains one of the substrings.
    ///
    /// - Parameter name: The name, in lowercase.
    /// - Returns: True if it does. Bytes are compared, so that a combining accent does not hide a match before it.
    func isContained(in name: String) -> Bool {
        var name = name
        return name.withUTF8 { bytes in
            bytes.indices.contains { start in
                guard Self.letters.contains(bytes[start]) else { return false }
                return byLetter[Int(bytes[start] - Self.letters.lowerBound)].contains { part in
                    bytes[start...].starts(with: part)
                }
            }
        }
    }
}
