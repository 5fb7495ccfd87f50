// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A few bytes of a file, read where they are asked for: never for more than a page or so.
package enum FileBytes {
    /// The first bytes of a file; `nil` where it cannot be read.
    package static func prefix(of path: String, upTo count: Int) -> [UInt8]? { bytes(of: path, at: 0, upTo: count) }

    /// Bytes of a regular file from a place on, fewer where it ends; `nil` where it cannot be read.
    package static func bytes(of path: String, at offset: Int64, upTo count: Int) -> [UInt8]? {
        guard !path.utf8.contains(0) else { return nil }
        // Not to wait for the other end, should it be a pipe.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress.map { $0 + filled }, count - filled, off_t(offset) + off_t(filled))
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { return nil }
            if got == 0 { break }
            filled += got
        }
        return Array(bytes.prefix(filled))
    }
}
