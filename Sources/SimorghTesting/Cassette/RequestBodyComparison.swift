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
    ///   - left: One body.
    ///   - leftType: Its media type; `nil` if it has none.
    ///   - right: The other body.
    ///   - rightType: Its media type; `nil` if it has none.
    /// - Returns: True if they are equivalent.
    static func areAlike(_ left: Data, _ leftType: String?, _ right: Data, _ rightType: String?) -> Bool {
        if left == right { return true }
        if let left = try? JSON(parsing: left), let right = try? JSON(parsing: right) { return areAlike(left, right) }
        guard let mine = delimiter(leftType), let theirs = delimiter(rightType) else { return false }
        return Array(left).pieces(separatedBy: mine) == Array(right).pieces(separatedBy: theirs)
    }

    /// Returns true if two optional texts are the same bytes.
    static func isSame(_ left: String?, _ right: String?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return left.utf8.elementsEqual(right.utf8)
    }

    private static func delimiter(_ type: String?) -> [UInt8]? {
        guard let boundary = try? MultipartParser.boundary(of: type ?? "") else { return nil }
        return Array("--\(boundary)".utf8)
    }

    private static func areAlike(_ left: JSON, _ right: JSON) -> Bool {
        switch (left, right) {
        case (.string(let left), .string(let right)): isSame(left, right)
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { areAlike($0, $1) }
        case (.object(let left), .object(let right)):
            left.count == right.count
                && left.allSatisfy { name, value in
                    // The dictionary also finds a name that is only canonically equal.
                    guard let index = right.index(forKey: name), isSame(name, right[index].key) else { return false }
                    return areAlike(value, right[index].value)
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
