// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

/// A receive allocator for connections with large bodies: each read gets a new buffer unless it is small.
///
/// If a channel knows the size of the next read, it keeps its buffer for that read and never makes a smaller one. A
/// large buffer would stay with an idle connection, and later reads would fill it. This allocator is for channels that
/// read once per tick, which keep only the first buffer that they made; a channel that reads more often keeps as many.
package struct GrowingReceiveAllocator: RecvByteBufferAllocator {
    /// The maximum number of bytes of one read.
    package static let maximumReadSize = ReadCoalescing.bytes

    private var sizes: AdaptiveRecvByteBufferAllocator
    private let kept: Int

    /// Creates an allocator.
    ///
    /// - Parameters:
    ///   - initial: The size of the first read, in bytes. Its buffer is kept if the channel has none yet; an existing
    ///     buffer keeps its size.
    ///   - kept: The maximum size of a read that uses the kept buffer, in bytes. Default: 0, no read does.
    package init(initial: Int, keeping kept: Int = 0) {
        sizes = AdaptiveRecvByteBufferAllocator(minimum: max(kept, 64), initial: initial, maximum: Self.maximumReadSize)
        self.kept = kept
    }

    package func buffer(allocator: ByteBufferAllocator) -> ByteBuffer { sizes.buffer(allocator: allocator) }

    /// Returns true, so that the channel makes a new buffer, unless the next read fits into the kept buffer.
    package mutating func record(actualReadBytes: Int) -> Bool {
        _ = sizes.record(actualReadBytes: actualReadBytes)
        return (sizes.nextBufferSize() ?? .max) > kept
    }
}
