// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Writing to what is no file, such as a pipe: its reader may be slow, or gone.
enum PipeWriting {
    /// Waits until something is taken, or nobody reads any more.
    ///
    /// - Parameters:
    ///   - descriptor: The pipe.
    ///   - milliseconds: How long; 0 only looks.
    /// - Returns: Whether to write now, be it to learn that nobody reads.
    static func hasRoom(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while true {
            let count = poll(&waiting, 1, milliseconds)
            if count >= 0 || errno != EINTR { return count != 0 }
        }
    }
}
