// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Parts of names, of lower case letters each, of which each word of a log is asked whether it holds one.
struct NameParts: Sendable {
    /// By their first letters.
    private let byLetter: [[[UInt8]]]
    private static let letters = UInt8(ascii: "a")...UInt8(ascii: "z")

    init(_ parts: [String]) {
        let parts = parts.map { Array($0.utf8) }
        byLetter = Self.letters.map { letter in parts.filter { $0.first == letter } }
    }

    /// Whether one of them stands anywhere in a name.
    ///
    /// - Parameter name: The name, in lower case.
    /// - Returns: Whether it does, byte by byte: a letter with an accent does not hide what is before the accent.
    func occur(in name: String) -> Bool {
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
