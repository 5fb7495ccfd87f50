// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension Substring {
    /// What stands between the bytes of one kind, such as the slashes of a path.
    ///
    /// By bytes, as whoever reads it elsewhere does: a slash and a mark that combines with it are one character, which
    /// `split(separator:)` does not take for a slash.
    ///
    /// - Parameters:
    ///   - separator: The byte, of ASCII.
    ///   - cuts: How often it is cut at most.
    ///   - keepsEmpty: Whether what has no byte is among them; it is by default.
    /// - Returns: The pieces, in their order.
    package func cut(at separator: Unicode.Scalar, atMost cuts: Int = .max, keepsEmpty: Bool = true) -> [Substring] {
        utf8.split(separator: UInt8(ascii: separator), maxSplits: cuts, omittingEmptySubsequences: !keepsEmpty)
            .map { Substring($0) }
    }

    /// What stands before the first byte of one kind, and what behind it; `nil` where there is none.
    package func halves(at separator: Unicode.Scalar) -> (before: Substring, behind: Substring)? {
        guard let place = utf8.firstIndex(of: UInt8(ascii: separator)) else { return nil }
        return (self[..<place], self[utf8.index(after: place)...])
    }

    /// What stands behind the first byte; `nil` where that is another than this.
    package func behind(first mark: Unicode.Scalar) -> Substring? {
        utf8.first == UInt8(ascii: mark) ? self[utf8.index(after: startIndex)...] : nil
    }
}

extension String {
    /// What stands between the bytes of one kind; see `Substring.cut(at:atMost:keepsEmpty:)`.
    package func cut(at separator: Unicode.Scalar, atMost cuts: Int = .max, keepsEmpty: Bool = true) -> [Substring] {
        self[...].cut(at: separator, atMost: cuts, keepsEmpty: keepsEmpty)
    }

    /// What stands behind the first byte; `nil` where that is another than this.
    package func behind(first mark: Unicode.Scalar) -> Substring? { self[...].behind(first: mark) }

    /// What stands before the last byte of one kind, such as the folder of a path; `nil` where there is none.
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
