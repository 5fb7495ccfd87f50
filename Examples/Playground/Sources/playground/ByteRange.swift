// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The part of a file that a `Range` field requests (RFC 9110, section 14).
enum ByteRange: Equatable {
    /// The whole file: there is no field, or a field that may be ignored: of another unit, malformed, or of several
    /// ranges.
    case whole
    case part(Range<Int>)
    /// A range outside the file.
    case unsatisfiable

    init(_ field: String?, of count: Int) {
        self = .whole
        guard let field, field.lowercased().hasPrefix("bytes=") else { return }
        let ends = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false).map { String($0) }
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy(Self.isDigit) }) else { return }
        // A number that is too large for an Int is beyond the end of any file.
        let first = ends[0].isEmpty ? nil : Int(ends[0]) ?? .max
        let last = ends[1].isEmpty ? nil : Int(ends[1]) ?? .max
        switch (first, last) {
        case (nil, nil): return
        case (nil, let suffix?):
            self = suffix == 0 || count == 0 ? .unsatisfiable : .part(max(0, count - suffix)..<count)
        case (let first?, let last):
            if let last, last < first { return }
            guard first < count else {
                self = .unsatisfiable
                return
            }
            let end = min(count - 1, last ?? count - 1) + 1
            self = .part(first..<end)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
