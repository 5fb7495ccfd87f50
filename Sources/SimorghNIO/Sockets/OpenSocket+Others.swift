// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if !os(Linux)
import NIOCore

/// The socket below a connection; elsewhere everything goes by way of the channel, whatever it is made of.
struct OpenSocket {
    init?(of channel: any Channel) { return nil }

    func send(_ bytes: UnsafeRawBufferPointer) -> Int { 0 }
}
#endif
