// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghNIO
import Testing

/// The receive buffers that a channel keeps.
@Suite("GrowingReceiveAllocator", .timeLimit(.minutes(10)))
struct GrowingReceiveAllocatorTests {
    private static let small = 2048

    /// Reads with a channel that reads once per turn, a full buffer or a number of bytes each.
    ///
    /// - Returns: The capacity of each buffer.
    private static func read(_ pool: inout NIOPooledRecvBufferAllocator, _ count: Int, bytes: Int? = nil) -> [Int] {
        (0..<count).map { _ in
            let (buffer, read) = pool.buffer(allocator: ByteBufferAllocator()) { buffer in
                let read = min(bytes ?? .max, buffer.writableBytes)
                buffer.writeRepeatingByte(1, count: read)
                return read
            }
            pool.record(actualReadBytes: read)
            return buffer.capacity
        }
    }

    @Test("The buffer grows for large reads and shrinks for small ones, and no large buffer is kept")
    func sizes() {
        var pool = NIOPooledRecvBufferAllocator(
            capacity: 1, recvAllocator: GrowingReceiveAllocator(initial: Self.small, keeping: Self.small))
        #expect(Self.read(&pool, 3, bytes: 100) == [Self.small, Self.small, Self.small])
        let large = Self.read(&pool, 40)
        #expect(large == large.sorted() && large.last == GrowingReceiveAllocator.maximumReadSize)
        // Two small reads end the large ones, and halve the size each time.
        let falling = Self.read(&pool, 40, bytes: 100)
        #expect(falling.last == Self.small)
        #expect(pool.count == 1)
        #expect(Self.read(&pool, 3, bytes: 100) == [Self.small, Self.small, Self.small])
    }

    @Test("Without a kept size, small reads shrink the buffer as well")
    func unkept() {
        var pool = NIOPooledRecvBufferAllocator(capacity: 1, recvAllocator: GrowingReceiveAllocator(initial: 4096))
        let first = Self.read(&pool, 1)
        let second = Self.read(&pool, 20, bytes: 10)
        #expect(first == [4096])
        #expect(second.last == 64)
    }
}
