// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if !os(Linux)
import NIOCore
import SimorghCore

extension WebSocketPulse {
    /// Nothing: here a channel does not tell what its kernel has.
    init?(of channel: any Channel) { nil }
}
#endif
