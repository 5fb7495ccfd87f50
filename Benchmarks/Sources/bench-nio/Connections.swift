// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import Synchronization

/// The open connections that are free now.
final class Connections: Sendable {
    private let free = Mutex<[any Channel]>([])

    /// Takes one; there are as many as requests in flight.
    func take() -> any Channel {
        guard let channel = free.withLock({ $0.popLast() }) else { preconditionFailure("none is free") }
        return channel
    }

    func giveBack(_ channel: any Channel) {
        free.withLock { $0.append(channel) }
    }
}
