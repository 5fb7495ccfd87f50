// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension Substring {
    /// Splits the text at a byte, such as the slashes of a path.
    ///
    /// It works on bytes, as other readers of the text do: a slash followed by a combining mark is one character, at
    /// which `split(separator:)` would not split.
    ///
    /// - Parameters:
    ///   - separator: The separator, an ASCII character.
    ///   - cuts: The maximum number of splits.
    ///   - keepsEmpty: True to keep empty parts. Default: true.
    /// - Returns: The parts, in order.
    package func cut(at separator: Unicode.Scalar, atMost cuts: Int = .max, keepsEmpty: Bool = true) -> [Substring] {
        utf8.split(separator: UInt8(ascii: separator), maxSplits: cuts, omittingEmptySubsequences: !keepsEmpty)
            .map { Substring($0) }
    }

    /// Returns the text before and after the first occurrence of a separator; `nil` if it does not occur.
    package func halves(at separator: Unicode.Scalar) -> (before: Substring, behind: Substring)? {
        guard let index = utf8.firstIndex(of: UInt8(ascii: separator)) else { return nil }
        return (self[..<index], self[utf8.index(after: index)...])
    }

    /// Returns the text without its first byte if that is `mark`; `nil` otherwise.
    package func behind(first mark: Unicode.Scalar) -> Substring? {
        utf8.first == UInt8(ascii: mark) ? self[utf8.index(after: startIndex)...] : nil
    }
}

extension String {
    /// Splits the text at a byte; see `Substring.cut(at:atMost:keepsEmpty:)`.
    package func cut(at separator: Unicode.Scalar, atMost cuts: Int = .max, keepsEmpty: Bool = true) -> [Substring] {
        self[...].cut(at: separator, atMost: cuts, keepsEmpty: keepsEmpty)
    }

    /// Returns the text without its first byte if that is `mark`; `nil` otherwise.
    package func behind(first mark: Unicode.Scalar) -> Substring? { self[...].behind(first: mark) }

    /// Returns the text before the last occurrence of a separator, such as the folder of a path; `nil` if it does not
    /// occur.
    package func before(last separator: Unicode.Scalar) -> Substring? {
        utf8.lastIndex(of: UInt8(ascii: separator)).map { self[..<$0] }
    }
}

extension Substring.UTF8View {
    /// Returns the part between two offsets.
    package func slice(_ offsets: Range<Int>) -> Substring.UTF8View {
        let start = index(startIndex, offsetBy: offsets.lowerBound)
        return self[start..<index(start, offsetBy: offsets.count)]
    }
}
