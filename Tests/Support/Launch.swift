// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// Starts outside programs one at a time: Foundation's `Process.run` walks this process's descriptors in a way that two
/// threads at once do not survive.
package enum Launch {
    private static let turn = Mutex(())

    /// Does work that starts a program, while nobody else does.
    package static func alone<Failure: Error>(_ work: () throws(Failure) -> Void) throws(Failure) {
        try turn.withLock { _ throws(Failure) in try work() }
    }
}
