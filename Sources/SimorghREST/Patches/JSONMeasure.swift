// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// Measures a value without more recursion or work than its limits allow.
struct JSONMeasure {
    enum Result {
        case fits, tooDeep, tooLarge
    }

    /// The nesting depth that JSON has at most when it is encoded and decoded.
    static let maximumDepth = 128
    /// The size that each value counts, besides names and text.
    static let nodeSize = 16

    /// The size that each element counts which an insertion or a removal moves; it is moved without being read.
    private static let moveSize = 4

    private let depthLimit: Int
    private let sizeLimit: Int
    /// The size so far, in bytes.
    private(set) var size = 0

    init(depth: Int, size: Int) {
        depthLimit = depth
        sizeLimit = size
    }

    /// Adds a value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - level: The number of arrays and objects around it.
    /// - Returns: The limit that was exceeded, if any.
    mutating func add(_ value: JSON, level: Int) -> Result {
        size += Self.nodeSize
        switch value {
        case .null, .bool, .number: break
        case .string(let text): size += text.utf8.count
        case .array(let elements):
            guard level < depthLimit else { return .tooDeep }
            for element in elements {
                let result = add(element, level: level + 1)
                guard case .fits = result else { return result }
            }
        case .object(let members):
            guard level < depthLimit else { return .tooDeep }
            for (name, member) in members {
                size += name.utf8.count
                let result = add(member, level: level + 1)
                guard case .fits = result else { return result }
            }
        }
        return size <= sizeLimit ? .fits : .tooLarge
    }

    /// Counts elements that an insertion or a removal moves as work.
    static func move(_ count: Int, work: inout Int) throws(JSONPatchError.Reason) {
        let (size, isTooLarge) = count.multipliedReportingOverflow(by: moveSize)
        guard !isTooLarge, size <= work else { throw .tooLarge }
        work -= size
    }

    /// Returns true if a value is nested at most as deep as JSON can be encoded.
    static func fits(_ value: JSON) -> Bool {
        var measure = JSONMeasure(depth: maximumDepth, size: .max)
        if case .fits = measure.add(value, level: 0) { return true }
        return false
    }
}
