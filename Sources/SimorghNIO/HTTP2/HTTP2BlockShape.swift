// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore

/// What a block of fields does to the table of its connection, and the table to it, told by the form of each field
/// (RFC 7541, section 6), not by what it says.
struct HTTP2BlockShape {
    /// Whether it is made of nothing but fields, whole, as far as their form can tell.
    private(set) var isSound = true
    /// Whether it refers to what was added to the table.
    private(set) var refers = false
    /// The least number of bytes that it adds to the table.
    private(set) var size = 0

    /// Whether it means the same whatever stands in the table.
    var isAlone: Bool { isSound && !refers }

    /// The entries that every table has (RFC 7541, appendix A).
    private static let fixedEntries = 61

    init() {}

    init(of block: ByteBuffer) {
        var rest = block
        while isSound, let first = rest.getInteger(at: rest.readerIndex, as: UInt8.self) {
            isSound = take(first, &rest)
        }
    }

    /// Takes in a field.
    ///
    /// - Returns: Whether it was one.
    private mutating func take(_ first: UInt8, _ rest: inout ByteBuffer) -> Bool {
        let prefix: Int
        switch first {
        case 0x80...: prefix = 7
        case 0x40..<0x80: prefix = 6
        case 0x20..<0x40: return false  // The table's size changes.
        default: prefix = 4
        }
        guard let index = Self.integer(&rest, prefix: prefix) else { return false }
        if index > Self.fixedEntries { refers = true }
        guard prefix < 7 else { return true }
        guard let name = index > 0 ? 0 : Self.skipText(&rest), let value = Self.skipText(&rest) else { return false }
        // What a table counts for an entry, besides its text (RFC 7541, section 4.1).
        if prefix == 6 { size += 32 + name + value }
        return true
    }

    /// Passes over a text.
    ///
    /// - Returns: The least length that it has, decoded: no code of a byte is longer than 30 bits.
    private static func skipText(_ rest: inout ByteBuffer) -> Int? {
        let isCoded = rest.getInteger(at: rest.readerIndex, as: UInt8.self).map { $0 >= 0x80 } ?? false
        guard let count = integer(&rest, prefix: 7), count <= rest.readableBytes else { return nil }
        rest.moveReaderIndex(forwardBy: count)
        return isCoded ? count * 8 / 30 : count
    }

    private static func integer(_ rest: inout ByteBuffer, prefix: Int) -> Int? {
        guard let first = rest.readInteger(as: UInt8.self) else { return nil }
        let most = 1 << prefix - 1
        var value = Int(first) & most
        guard value == most else { return value }
        for shift in stride(from: 0, to: 28, by: 7) {
            guard let byte = rest.readInteger(as: UInt8.self) else { return nil }
            value += Int(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        return nil
    }
}
