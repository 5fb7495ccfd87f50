// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore
package import NIOHPACK

/// Decodes field blocks (HPACK), caches the result for the last block, and defers inserts into the dynamic table.
///
/// A server sends nearly the same block each time. The fields of a block depend on the connection's dynamic table, and
/// many blocks insert entries into it. A block that does not refer to the dynamic table has the same fields whatever
/// the table holds. It is decoded without the table, and its inserts are deferred until a block arrives that refers to
/// the table. For a server that never refers to it, such as nginx, the table is never updated. Two kinds of blocks have
/// the same fields if they are repeated directly, byte for byte: those that do not refer to the dynamic table, and
/// those that insert nothing into it.
///
/// This saves two fifths of the instructions of a GET from nginx (Benchmarks/README.md).
package struct HeaderBlockCache<Value> {
    /// The largest block that is cached or deferred, in bytes.
    package static var maximumSize: Int { 2048 }

    /// The maximum size of a decoded field list, in bytes.
    ///
    /// A larger list fails to decode.
    package var maximumFieldListSize = HPACKDecoder.defaultMaxHeaderListSize
    /// The decoder with the connection's dynamic table, without the deferred inserts.
    private var decoder = HPACKDecoder(allocator: ByteBufferAllocator())
    /// The decoder of blocks that do not refer to the dynamic table.
    ///
    /// Its own table is never used.
    private var independentDecoder = HPACKDecoder(allocator: ByteBufferAllocator())
    private var deferredInserts = DeferredTableInserts()

    private var block: ByteBuffer?
    private var scan = HeaderBlockScan()
    private var value: Value?

    package init() {}

    /// Returns the cached value of a block if it repeats the last one; `nil` otherwise.
    package mutating func repetition(_ block: ByteBuffer) -> Value? {
        guard let last = self.block, let value, last == block else { return nil }
        return value
    }

    /// Notes that the caller used the value that ``repetition(_:)`` returned.
    package mutating func usedRepetition() {
        if scan.size > 0 { deferredInserts.repeatLast(room: decoder.allowedDynamicTableLength) }
    }

    /// Decodes a block.
    ///
    /// - Parameter block: The block.
    /// - Returns: Its fields.
    /// - Throws: The decoder's error. The connection cannot be used afterwards.
    package mutating func decode(_ block: ByteBuffer) throws -> HPACKHeaders {
        (self.block, value) = (nil, nil)
        scan = HeaderBlockScan(of: block)
        var rest = block
        guard scan.isIndependent, block.readableBytes <= Self.maximumSize else {
            decoder.maxHeaderListSize = .max
            for deferred in deferredInserts.removeAll() {
                var block = deferred
                _ = try decoder.decodeHeaders(from: &block)
            }
            decoder.maxHeaderListSize = maximumFieldListSize
            return try decoder.decodeHeaders(from: &rest)
        }
        independentDecoder.maxHeaderListSize = maximumFieldListSize
        let fields = try independentDecoder.decodeHeaders(from: &rest)
        if scan.size > 0 {
            deferredInserts.append(block.copied, size: scan.size, room: decoder.allowedDynamicTableLength)
        }
        return fields
    }

    /// Caches a value for the block that was decoded last.
    package mutating func store(_ value: Value, of block: ByteBuffer) {
        guard block.readableBytes <= Self.maximumSize, scan.isIndependent || scan.isComplete && scan.size == 0 else {
            return
        }
        self.value = value
        self.block = block.copied
    }
}

extension ByteBuffer {
    /// A copy of the bytes, so that the larger buffer that the socket was read into can be freed.
    fileprivate var copied: ByteBuffer {
        var own = ByteBufferAllocator().buffer(capacity: readableBytes)
        own.writeImmutableBuffer(self)
        return own
    }
}
