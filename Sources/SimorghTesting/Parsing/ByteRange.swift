// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// The part of a representation that a `Range` field requests (RFC 9110, section 14).
package enum ByteRange: Hashable, Sendable {
    /// The whole representation: the field has another unit, is malformed, or requests several ranges, which a server
    /// may ignore.
    case whole
    case part(Range<Int>)
    /// The range is outside of the representation.
    case unsatisfiable

    package init(_ field: String, length: Int) {
        self = .whole
        guard field.lowercased().hasPrefix("bytes=") else { return }
        let ends = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
            .map(\.trimmingBlanks)
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy(\.isASCIIDigit) }) else { return }
        // A number too large for 64 bits is beyond any length as well.
        let first = ends[0].isEmpty ? nil : Int(ends[0]) ?? .max
        let last = ends[1].isEmpty ? nil : Int(ends[1]) ?? .max
        switch (first, last) {
        case (nil, nil): return
        case (nil, let suffix?):
            self = suffix == 0 || length == 0 ? .unsatisfiable : .part(max(0, length - suffix)..<length)
        case (let first?, let last):
            if let last, last < first { return }
            guard first < length else {
                self = .unsatisfiable
                return
            }
            self = .part(first..<min(length, (last ?? length - 1).addingOne))
        }
    }
}

extension Int {
    fileprivate var addingOne: Int { self == .max ? self : self + 1 }
}
