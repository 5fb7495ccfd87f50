// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// Compares recorded bodies with requested ones, byte by byte.
///
/// Swift's string equality is too lenient for that: it treats `é` and `e` with a combining accent as equal, and
/// replaces all bytes that are not UTF-8 with the same character.
enum RequestBodyComparison {
    /// Returns true if two request bodies are equivalent.
    ///
    /// The layout of JSON and the boundary of a multipart body may differ. The strings in JSON and the contents of the
    /// parts are compared byte by byte.
    ///
    /// - Parameters:
    ///   - body: One body.
    ///   - type: Its media type; `nil` if it has none.
    ///   - other: The other body.
    ///   - otherType: Its media type; `nil` if it has none.
    /// - Returns: True if they are equivalent.
    static func isEquivalent(_ body: Data, type: String?, to other: Data, otherType: String?) -> Bool {
        if body == other { return true }
        if let left = try? JSON(parsing: body), let right = try? JSON(parsing: other) {
            return isEquivalent(left, to: right)
        }
        guard let ours = delimiter(type), let theirs = delimiter(otherType) else { return false }
        return Array(body).pieces(separatedBy: ours) == Array(other).pieces(separatedBy: theirs)
    }

    /// Returns true if two optional texts are the same bytes.
    static func isSame(_ left: String?, as right: String?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return left.utf8.elementsEqual(right.utf8)
    }

    private static func delimiter(_ type: String?) -> [UInt8]? {
        guard let boundary = try? MultipartParser.boundary(of: type ?? "") else { return nil }
        return Array("--\(boundary)".utf8)
    }

    private static func isEquivalent(_ left: JSON, to right: JSON) -> Bool {
        switch (left, right) {
        case (.string(let left), .string(let right)): isSame(left, as: right)
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { isEquivalent($0, to: $1) }
        case (.object(let left), .object(let right)):
            left.count == right.count
                && left.allSatisfy { name, value in
                    // The dictionary also finds a name that is only canonically equal.
                    guard let index = right.index(forKey: name), isSame(name, as: right[index].key) else {
                        return false
                    }
                    return isEquivalent(value, to: right[index].value)
                }
        default: left == right
        }
    }
}

extension [UInt8] {
    /// Splits the bytes at the occurrences of a separator.
    ///
    /// - Parameters:
    ///   - separator: The separator; not empty.
    ///   - cuts: The maximum number of splits; the last piece holds the rest.
    /// - Returns: One piece more than there are splits.
    func pieces(separatedBy separator: [UInt8], cuts: Int = .max) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var start = 0
        while pieces.count < cuts, let found = MultipartParser.find(separator, in: self, from: start) {
            pieces.append(self[start..<found])
            start = found + separator.count
        }
        return pieces + [self[start...]]
    }
}
