// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

/// The sizes of the reads of a connection by which much may come, in buffers that are each a new one unless they are small.
///
/// The channel keeps buffers for the next read where it is told the size of that, and never makes one smaller: a large
/// one would stay with a connection that rests, and would be filled by its later reads, too. For a channel that reads once
/// a turn, which keeps the first buffer that it made and no other; one that reads more often keeps as many.
package struct LargeReads: RecvByteBufferAllocator {
    /// The most bytes of a read.
    package static let most = Gathering.bytes

    private var sizes: AdaptiveRecvByteBufferAllocator
    private let kept: Int

    /// Begins with reads of a size.
    ///
    /// - Parameters:
    ///   - initial: How many bytes the first one is for. Its buffer is the one that is kept, where the channel has none yet;
    ///     one that it has stays as large as it is.
    ///   - kept: Up to how many bytes a read goes into the buffer that is kept; none does by default.
    package init(initial: Int, keeping kept: Int = 0) {
        sizes = AdaptiveRecvByteBufferAllocator(minimum: max(kept, 64), initial: initial, maximum: Self.most)
        self.kept = kept
    }

    package func buffer(allocator: ByteBufferAllocator) -> ByteBuffer { sizes.buffer(allocator: allocator) }

    /// Says that the next one may be larger, whatever it is, where it is not to be read into the buffer that was kept.
    package mutating func record(actualReadBytes: Int) -> Bool {
        _ = sizes.record(actualReadBytes: actualReadBytes)
        return (sizes.nextBufferSize() ?? .max) > kept
    }
}
