// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if !os(Linux)
import NIOCore

/// A writer that never writes: on this platform all bytes go through the channel.
struct DirectSocketWriter {
    init?(of channel: any Channel) { return nil }

    func send(_ bytes: UnsafeRawBufferPointer) -> Int { 0 }
}
#endif
