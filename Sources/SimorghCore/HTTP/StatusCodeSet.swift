// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A set of status codes: `.success`, `[200, 201, 304]`, `StatusCodeSet(200..<400)`, or a union of these.
public struct StatusCodeSet: Sendable, Hashable {
    private var first: Range<Int>
    private var others: [Range<Int>]

    /// 200 to 299 (RFC 9110, section 15.3).
    public static let success = StatusCodeSet(200..<300)
    /// Every status, so that no status is an error.
    public static let any = StatusCodeSet(0..<1000)

    /// Creates a set of a range of codes.
    ///
    /// - Parameter codes: The codes.
    public init(_ codes: Range<Int>) {
        first = codes
        others = []
    }

    /// Creates a set of a closed range of codes.
    ///
    /// - Parameter codes: The codes.
    public init(_ codes: ClosedRange<Int>) {
        self.init(codes.lowerBound..<(codes.upperBound == .max ? .max : codes.upperBound + 1))
    }

    /// Returns true if a code is in the set.
    ///
    /// - Parameter code: The code.
    /// - Returns: True if the set contains the code.
    public func contains(_ code: Int) -> Bool {
        first.contains(code) || !others.isEmpty && others.contains { $0.contains(code) }
    }

    /// Returns true if the set contains a code, or a larger one.
    ///
    /// - Parameter code: The code.
    /// - Returns: True if the largest code of the set is at least this code.
    package func reaches(_ code: Int) -> Bool {
        ([first] + others).contains { !$0.isEmpty && $0.upperBound > code }
    }

    /// Returns the union of two sets.
    ///
    /// - Parameter other: The other set.
    /// - Returns: The codes that are in either set.
    public func union(_ other: StatusCodeSet) -> StatusCodeSet {
        var union = self
        union.others += [other.first] + other.others
        return union
    }
}

extension StatusCodeSet: ExpressibleByArrayLiteral {
    /// Creates a set of single codes.
    ///
    /// - Parameter elements: The codes.
    public init(arrayLiteral elements: Int...) { self.init(elements) }

    /// Creates a set of single codes.
    ///
    /// - Parameter codes: The codes.
    public init(_ codes: [Int]) {
        let ranges = codes.map { $0..<($0 == .max ? .max : $0 + 1) }
        first = ranges.first ?? 0..<0
        others = Array(ranges.dropFirst())
    }
}
