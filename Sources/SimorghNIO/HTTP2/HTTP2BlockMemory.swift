// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore
package import NIOHPACK

/// Reads blocks of fields, and remembers the last one, byte for byte.
///
/// A server says nearly the same each time. What a block means depends on the table of the connection, and many a block
/// adds to it; but two kinds mean the same when they come again right after themselves:
/// - one that adds nothing to the table, since the table is as it was, and
/// - one that refers to nothing in the table, since it means the same always. What it adds is owed to the table, and
///   made up for before another block is read. More than as many times as the table has room for never matters.
package struct HTTP2BlockMemory<Meaning> {
    /// What a block does to the table, and the table to it.
    private enum Kind {
        case addsNothing
        case refersToNothing
    }

    /// A larger block is not kept.
    package static var largest: Int { 2048 }
    /// More fields than this, a table of 4,096 bytes does not hold.
    private static var mostOwed: Int { 128 }

    package var decoder = HPACKDecoder(allocator: ByteBufferAllocator())
    private var block: ByteBuffer?
    private var kind = Kind.addsNothing
    private var meaning: Meaning?
    private var owed = 0

    package init() {}

    /// What a block means, if it is the last one again and its meaning was kept.
    package mutating func repetition(_ block: ByteBuffer) -> Meaning? {
        guard let last = self.block, let meaning, last == block else { return nil }
        return meaning
    }

    /// Says that the repetition was taken for what it is.
    package mutating func tookRepetition() {
        if kind == .refersToNothing { owed = min(owed + 1, Self.mostOwed) }
    }

    /// Reads a block.
    ///
    /// - Parameter block: The block.
    /// - Returns: Its fields.
    /// - Throws: What the decoder says; the connection can be used no more.
    package mutating func decode(_ block: ByteBuffer) throws -> HPACKHeaders {
        if let last = self.block {
            for _ in 0..<owed {
                var again = last
                _ = try decoder.decodeHeaders(from: &again)
            }
        }
        (owed, self.block, meaning) = (0, nil, nil)
        var rest = block
        return try decoder.decodeHeaders(from: &rest)
    }

    /// Keeps what the block means that was read last.
    package mutating func keep(_ meaning: Meaning, of block: ByteBuffer) {
        guard block.readableBytes <= Self.largest, let kind = Self.kind(of: block) else { return }
        self.kind = kind
        self.meaning = meaning
        // A copy, so that the memory which the socket was read into is let go.
        var own = ByteBufferAllocator().buffer(capacity: block.readableBytes)
        own.writeImmutableBuffer(block)
        self.block = own
    }

    /// Looks at each field's form (RFC 7541, section 6), not at what it says; `nil` for a block of neither kind.
    private static func kind(of block: ByteBuffer) -> Kind? {
        var (adds, refers) = (false, false)
        var rest = block
        while let first = rest.getInteger(at: rest.readerIndex, as: UInt8.self) {
            let index: Int?
            switch first {
            case 0x80...: index = integer(&rest, prefix: 7)
            case 0x40..<0x80:
                index = integer(&rest, prefix: 6)
                adds = true
            case 0x20..<0x40: return nil
            default: index = integer(&rest, prefix: 4)
            }
            guard let index else { return nil }
            if index > 61 { refers = true }
            if first < 0x80 {
                guard index > 0 || skipText(&rest), skipText(&rest) else { return nil }
            }
        }
        if !adds { return .addsNothing }
        return refers ? nil : .refersToNothing
    }

    private static func skipText(_ rest: inout ByteBuffer) -> Bool {
        guard let count = integer(&rest, prefix: 7), count <= rest.readableBytes else { return false }
        rest.moveReaderIndex(forwardBy: count)
        return true
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
