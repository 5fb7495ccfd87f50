// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The objects of a binary property list and their references.
///
/// The file is a list of objects, a table of their offsets, and a trailer of 32 bytes. Containers refer to their members
/// by number.
struct BinaryPropertyListGraph {
    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let objectCount: Int
    private let top: Int
    private let table: Int
    /// The containers that were measured; `nil` for one that is being measured, which must not contain itself.
    private var containers: [Int: Measure?] = [:]
    /// The size of all references that were followed, and of the leaves behind them.
    ///
    /// It bounds the time: containers with different numbers may share the bytes of their references.
    private var total = 0

    /// An object together with all objects that it refers to, counted each time.
    private struct Measure {
        var size: Int
        var depth: Int
    }

    init(_ bytes: [UInt8]) throws {
        self.bytes = bytes
        let trailer = bytes.count - 32
        guard trailer > 8 else { throw PropertyListBounds.refusal("is truncated") }
        (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            let objectCount = Self.number(bytes, at: trailer + 8, size: 8, end: bytes.count),
            let top = Self.number(bytes, at: trailer + 16, size: 8, end: bytes.count),
            let table = Self.number(bytes, at: trailer + 24, size: 8, end: bytes.count),
            table > 8, table < trailer, objectCount > top, objectCount <= (trailer - table) / offsetSize
        else { throw PropertyListBounds.refusal("has an invalid trailer") }
        (self.objectCount, self.top, self.table) = (objectCount, top, table)
    }

    /// Throws if the property list is too deep, contains itself, or is too large without references.
    mutating func check() throws { _ = try measure(top, level: 0) }

    private mutating func measure(_ object: Int, level: Int) throws -> Measure {
        guard object < objectCount,
            var position = Self.number(bytes, at: table + object * offsetSize, size: offsetSize, end: bytes.count),
            position >= 8, position < table
        else { throw PropertyListBounds.refusal("has an invalid reference") }
        let start = position
        let marker = bytes[position]
        position += 1
        var count = Int(marker & 0x0F)
        if count == 0x0F, marker >> 4 >= 4 {
            guard position < table, bytes[position] >> 4 == 1 else { throw Self.invalid }
            let size = 1 << Int(bytes[position] & 0x0F)
            guard size <= 8, let long = Self.number(bytes, at: position + 1, size: size, end: table) else {
                throw Self.invalid
            }
            position += 1 + size
            count = long
        }
        let references: Int
        switch marker >> 4 {
        case 0x4, 0x5: return try leaf(from: start, to: position, unit: 1, count: count)
        case 0x6: return try leaf(from: start, to: position, unit: 2, count: count)
        case 0xA, 0xC: references = 1
        case 0xD: references = 2
        default: return Measure(size: 16, depth: 0)
        }
        guard count <= (table - position) / (references * referenceSize) else { throw Self.invalid }
        if let known = containers[object] {
            guard let known else { throw PropertyListBounds.refusal("contains itself") }
            guard level + known.depth <= PropertyListBounds.maximumDepth else { throw Self.tooDeep }
            return known
        }
        guard level < PropertyListBounds.maximumDepth else { throw Self.tooDeep }
        containers[object] = .some(nil)
        var sum = Measure(size: position - start, depth: 1)
        for index in 0..<count * references {
            let place = position + index * referenceSize
            guard let member = Self.number(bytes, at: place, size: referenceSize, end: table) else {
                throw Self.invalid
            }
            let part = try measure(member, level: level + 1)
            sum.size += referenceSize + part.size
            sum.depth = max(sum.depth, part.depth + 1)
            total += referenceSize + (part.depth == 0 ? part.size : 0)
            guard max(sum.size, total) <= max(PropertyListBounds.floor, bytes.count * PropertyListBounds.maximumRatio)
            else {
                throw PropertyListBounds.refusal(
                    "is more than \(PropertyListBounds.maximumRatio) times as long without references")
            }
        }
        containers[object] = sum
        return sum
    }

    /// Returns the measure of a string or of data.
    private func leaf(from start: Int, to position: Int, unit: Int, count: Int) throws -> Measure {
        guard count <= (table - position) / unit else { throw Self.invalid }
        return Measure(size: position - start + count * unit, depth: 0)
    }

    private static let invalid = PropertyListBounds.refusal("has an invalid object")
    private static let tooDeep = PropertyListBounds.refusal("has more than \(PropertyListBounds.maximumDepth) levels")

    /// Returns a number in big endian; `nil` if it does not fit or reaches beyond the end.
    private static func number(_ bytes: [UInt8], at position: Int, size: Int, end: Int) -> Int? {
        guard position >= 0, size <= end - position else { return nil }
        return Int(exactly: bytes[position..<position + size].reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
    }
}
