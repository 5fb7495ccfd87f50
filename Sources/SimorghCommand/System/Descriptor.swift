// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import SimorghSupport

/// An open file descriptor for writing: a pipe, a terminal or a file.
///
/// The code that opened it must close it.
package struct Descriptor: Sendable, Hashable {
    package static let standardOutput = Descriptor(1)
    package static let standardError = Descriptor(2)

    package let number: CInt

    package init(_ number: CInt) { self.number = number }

    /// True if the descriptor is a terminal.
    package var isTerminal: Bool { isatty(number) == 1 }

    /// Writes all bytes, even if the system accepts only a part at a time.
    ///
    /// - Parameter bytes: The bytes.
    /// - Throws: ``OutputError``.
    package func write(_ bytes: Data) throws(OutputError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let (count, code) = rest.withUnsafeBytes { buffer in
                let count = systemWrite(number, bytes: buffer.baseAddress, count: buffer.count)
                return (count, errno)
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if code == EAGAIN || code == EWOULDBLOCK {
                // Another process made the terminal or pipe non-blocking.
                var waiting = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
                _ = poll(&waiting, 1, 1000)
            } else if code != EINTR {
                throw code == EPIPE ? .brokenPipe : .system("the output", code)
            }
        }
    }

    /// Writes text.
    ///
    /// - Parameter text: The text.
    /// - Throws: ``OutputError``.
    package func write(_ text: String) throws(OutputError) { try write(Data(text.utf8)) }
}

/// Calls the system's `write`, which the methods above shadow.
private func systemWrite(_ number: CInt, bytes: UnsafeRawPointer?, count: Int) -> Int {
    write(number, bytes, count)
}
#endif
