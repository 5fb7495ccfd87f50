// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Tuning of how the C library handles freed memory.
package enum MallocTuning {
    /// Makes glibc keep freed memory instead of returning it to the system; once per process.
    ///
    /// Until glibc has freed a large block, it returns free memory above 128 KiB at the end of a heap to the system.
    /// Each message of 64 KiB then costs sixteen page faults and a system call. If another thread frees it, every core
    /// is interrupted as well. Together this costs two fifths of the throughput. After freeing a block of 1 MiB, glibc
    /// keeps 2 MiB of a heap, as in any process that has freed such a block. A threshold that the process has set
    /// itself stays. Allocators of other libraries are not affected.
    /// The size of messages from which it matters, in bytes.
    package static let minimumLargeSize = 16 * 1024

    package static func retainFreedMemory() { _ = isRetaining }

    private static let isRetaining: Bool = {
        // A block that is placed in freed memory does not change the threshold. A block from the system begins a page,
        // after two words of bookkeeping. If none of the blocks does, the threshold was changed before.
        var blocks: [UnsafeMutableRawPointer] = []
        repeat {
            blocks.append(.allocate(byteCount: 1024 * 1024, alignment: 16))
        } while UInt(bitPattern: blocks[blocks.count - 1]) % 4096 != 16 && blocks.count < 16
        for block in blocks { block.deallocate() }
        return true
    }()
}
