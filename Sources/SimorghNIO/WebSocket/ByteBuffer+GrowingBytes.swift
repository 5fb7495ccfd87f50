// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore
import SimorghRealtime

extension ByteBuffer: GrowingBytes {
    package mutating func write(atLeast count: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int) {
        writeWithUnsafeMutableBytes(minimumWritableBytes: count, fill)
    }

    package mutating func removeLast(_ count: Int) { moveWriterIndex(to: writerIndex - count) }
}
