// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What the C library does with memory that was freed.
enum FreedMemory {
    /// Has it keep some for what comes next, once in a process.
    ///
    /// Until it has seen a large block freed, glibc gives the system back what lies free above 128 KiB at the end of a heap. Of
    /// messages of 64 KiB each then costs sixteen page faults and a call, and where it is freed on another thread, every core
    /// is interrupted for it: two fifths of what could be carried. After a block of a MiB it keeps two MiB of a heap, as it
    /// does in any process that has freed such a block, and one that has set a threshold of its own keeps that. Other
    /// libraries' allocators learn nothing by it.
    static func keep() { _ = isKept }

    private static let isKept: Bool = {
        // A block that is put where others were freed teaches it nothing. One that is asked of the system begins a page, behind
        // two words of its own; where none of so many does, it has learned before.
        var blocks: [UnsafeMutableRawPointer] = []
        repeat {
            blocks.append(.allocate(byteCount: 1024 * 1024, alignment: 16))
        } while UInt(bitPattern: blocks[blocks.count - 1]) % 4096 != 16 && blocks.count < 16
        for block in blocks { block.deallocate() }
        return true
    }()
}
