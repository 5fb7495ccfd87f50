// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore
package import NIOHPACK

/// Reads blocks of fields, remembers what the last one meant, and puts off what need not be done yet.
///
/// A server says nearly the same each time. What a block means depends on the table of the connection, and many a block
/// adds to it. But a block that refers to nothing in the table means the same whatever stands there: it is read without
/// the table, and what it adds is owed to it, until a block comes that does refer to it. Servers that never do, of which
/// nginx is one, are spared the table. And two kinds of blocks mean the same when they come again right after themselves,
/// byte for byte: those that refer to nothing in the table, and those that add nothing to it.
///
/// It saves two fifths of the instructions of a GET from nginx (Benchmarks/README.md).
package struct HTTP2BlockMemory<Meaning> {
    /// A larger block is neither kept nor owed.
    package static var largest: Int { 2048 }

    /// The most bytes that the fields of a block may take; one with more cannot be read.
    package var mostBytes = HPACKDecoder.defaultMaxHeaderListSize
    /// Has the table, without what is owed to it.
    private var decoder = HPACKDecoder(allocator: ByteBufferAllocator())
    /// Reads what refers to nothing; its own table means nothing.
    private var other = HPACKDecoder(allocator: ByteBufferAllocator())
    private var debts = HTTP2TableDebts()

    private var block: ByteBuffer?
    private var shape = HTTP2BlockShape()
    private var meaning: Meaning?

    package init() {}

    /// What a block means, if it is the last one again and its meaning was kept.
    package mutating func repetition(_ block: ByteBuffer) -> Meaning? {
        guard let last = self.block, let meaning, last == block else { return nil }
        return meaning
    }

    /// Says that the repetition was taken for what it is.
    package mutating func tookRepetition() {
        if shape.size > 0 { debts.repeatLast(room: decoder.allowedDynamicTableLength) }
    }

    /// Reads a block.
    ///
    /// - Parameter block: The block.
    /// - Returns: Its fields.
    /// - Throws: What the decoder says; the connection can be used no more.
    package mutating func decode(_ block: ByteBuffer) throws -> HPACKHeaders {
        (self.block, meaning) = (nil, nil)
        shape = HTTP2BlockShape(of: block)
        var rest = block
        guard shape.isAlone, block.readableBytes <= Self.largest else {
            decoder.maxHeaderListSize = .max
            for debt in debts.removeAll() {
                var owed = debt
                _ = try decoder.decodeHeaders(from: &owed)
            }
            decoder.maxHeaderListSize = mostBytes
            return try decoder.decodeHeaders(from: &rest)
        }
        other.maxHeaderListSize = mostBytes
        let fields = try other.decodeHeaders(from: &rest)
        if shape.size > 0 {
            debts.append(block.copied, size: shape.size, room: decoder.allowedDynamicTableLength)
        }
        return fields
    }

    /// Keeps what the block means that was read last.
    package mutating func keep(_ meaning: Meaning, of block: ByteBuffer) {
        guard block.readableBytes <= Self.largest, shape.isAlone || shape.isSound && shape.size == 0 else { return }
        self.meaning = meaning
        self.block = block.copied
    }
}

extension ByteBuffer {
    /// The same bytes in memory of their own, so that the memory which the socket was read into is let go.
    fileprivate var copied: ByteBuffer {
        var own = ByteBufferAllocator().buffer(capacity: readableBytes)
        own.writeImmutableBuffer(self)
        return own
    }
}
