// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore

/// The effect of a field block on the connection's dynamic table and its dependence on it, found by scanning the
/// representation of each field (RFC 7541, section 6) without decoding it.
struct HeaderBlockScan {
    /// True if the block consists of complete field representations only.
    private(set) var isComplete = true
    /// True if the block refers to an entry of the dynamic table.
    private(set) var refersToDynamicTable = false
    /// A lower bound of the bytes that the block adds to the dynamic table.
    private(set) var size = 0

    /// True if the block has the same fields whatever the dynamic table holds.
    var isIndependent: Bool { isComplete && !refersToDynamicTable }

    /// The number of entries in the static table (RFC 7541, appendix A).
    private static let fixedEntries = 61

    init() {}

    init(of block: ByteBuffer) {
        var rest = block
        while isComplete, let first = rest.getInteger(at: rest.readerIndex, as: UInt8.self) {
            isComplete = take(first, from: &rest)
        }
    }

    /// Scans one field representation.
    ///
    /// - Returns: True if it is a complete field.
    private mutating func take(_ first: UInt8, from rest: inout ByteBuffer) -> Bool {
        let prefix: Int
        switch first {
        case 0x80...: prefix = 7
        case 0x40..<0x80: prefix = 6
        case 0x20..<0x40: return false  // The table's size changes.
        default: prefix = 4
        }
        guard let index = Self.integer(&rest, prefix: prefix) else { return false }
        if index > Self.fixedEntries { refersToDynamicTable = true }
        guard prefix < 7 else { return true }
        guard let name = index > 0 ? 0 : Self.skipText(&rest), let value = Self.skipText(&rest) else { return false }
        // The overhead of a table entry (RFC 7541, section 4.1).
        if prefix == 6 { size += 32 + name + value }
        return true
    }

    /// Skips a string literal.
    ///
    /// - Returns: A lower bound of its decoded length: the longest Huffman code of a byte has 30 bits.
    private static func skipText(_ rest: inout ByteBuffer) -> Int? {
        let isCoded = rest.getInteger(at: rest.readerIndex, as: UInt8.self).map { $0 >= 0x80 } ?? false
        guard let count = integer(&rest, prefix: 7), count <= rest.readableBytes else { return nil }
        rest.moveReaderIndex(forwardBy: count)
        return isCoded ? count * 8 / 30 : count
    }

    private static func integer(_ rest: inout ByteBuffer, prefix: Int) -> Int? {
        guard let first = rest.readInteger(as: UInt8.self) else { return nil }
        let maximum = 1 << prefix - 1
        var value = Int(first) & maximum
        guard value == maximum else { return value }
        for shift in stride(from: 0, to: 28, by: 7) {
            guard let byte = rest.readInteger(as: UInt8.self) else { return nil }
            value += Int(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        return nil
    }
}
