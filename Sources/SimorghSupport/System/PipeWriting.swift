// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Writing to a descriptor that is not a file, such as a pipe whose reader can be slow or gone.
package enum PipeWriting {
    /// Waits until the pipe accepts bytes or has no reader.
    ///
    /// - Parameters:
    ///   - descriptor: The pipe.
    ///   - milliseconds: The timeout; 0 only checks.
    /// - Returns: True if writing does not block, which includes failing without a reader.
    package static func isWritable(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while true {
            let count = poll(&waiting, 1, milliseconds)
            if count >= 0 || errno != EINTR { return count != 0 }
        }
    }
}
