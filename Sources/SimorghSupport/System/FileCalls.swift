// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// System calls on files, which block.
///
/// Unless stated otherwise, a partial read or write is continued until all bytes are processed.
package enum FileCalls {
    /// Returns true if an error concerns the file itself, and not a temporary condition of the disk or the process.
    ///
    /// - Parameter code: The `errno` value.
    /// - Returns: True if the error concerns the file.
    package static func isAboutFile(_ code: CInt) -> Bool {
        [ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG, EISDIR, ENXIO, ENODEV, EINVAL].contains(code)
    }

    /// Reads bytes at an offset until the buffer is full.
    ///
    /// - Returns: The number of bytes read, fewer only at the end of the file; negative after an error, which is in
    ///   `errno`.
    package static func read(_ descriptor: CInt, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
        var filled = 0
        while filled < buffer.count {
            let count = pread(
                descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled,
                off_t(offset) + off_t(filled))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return -1 }
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// Fills several buffers with the bytes at an offset, with one system call; a short read is not continued.
    ///
    /// - Returns: True if all buffers are full.
    package static func fill(_ parts: [iovec], from descriptor: CInt, at offset: Int64) -> Bool {
        let wanted = parts.reduce(0) { $0 + $1.iov_len }
        return parts.withUnsafeBufferPointer { preadv(descriptor, $0.baseAddress, CInt($0.count), off_t(offset)) }
            == wanted
    }

    /// Writes bytes at an offset.
    ///
    /// - Returns: The `errno` value; zero if all bytes were written.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt, at offset: Int64) -> CInt {
        var written = 0
        while written < bytes.count {
            let count = pwrite(
                descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written,
                off_t(offset) + off_t(written))
            if count > 0 {
                written += count
            } else if count == 0 || errno != EINTR {
                return count == 0 ? ENOSPC : errno
            }
        }
        return 0
    }

    /// Writes several buffers at an offset, one after the other.
    ///
    /// - Parameters:
    ///   - parts: The buffers, at most as many as the system accepts (1024).
    ///   - descriptor: The file.
    ///   - offset: The offset of the first buffer.
    /// - Returns: The `errno` value; zero if all bytes were written.
    package static func write(_ parts: [iovec], to descriptor: CInt, at offset: Int64) -> CInt {
        guard !parts.isEmpty else { return 0 }
        var written = 0
        while true {
            written = parts.withUnsafeBufferPointer {
                pwritev(descriptor, $0.baseAddress, CInt($0.count), off_t(offset))
            }
            if written >= 0 { break }
            if errno != EINTR { return errno }
        }
        // Writes the rest buffer by buffer; if the disk is full, the next call reports it.
        var start = offset
        for part in parts {
            let done = min(written, part.iov_len)
            written -= done
            let rest = UnsafeRawBufferPointer(start: part.iov_base, count: part.iov_len).dropFirst(done)
            let code = write(UnsafeRawBufferPointer(rebasing: rest), to: descriptor, at: start + Int64(done))
            guard code == 0 else { return code }
            start += Int64(part.iov_len)
        }
        return 0
    }

    /// Creates a folder and its parent folders.
    ///
    /// - Returns: The path that could not be created, with the error in `errno`; `nil` after success.
    package static func makeFolder(_ folder: String, mode: mode_t) -> String? {
        var path = folder.utf8.first == UInt8(ascii: "/") ? "" : "."
        for part in folder.cut(at: "/", keepsEmpty: false) {
            path += "/\(part)"
            if mkdir(path, mode) == 0 { continue }
            let code = errno
            // Some file systems reject `mkdir` with another error than EEXIST, although the folder exists.
            if code == EEXIST || access(path, F_OK) == 0 { continue }
            // The error of `mkdir`, which `access` has overwritten.
            errno = code
            return path
        }
        return nil
    }
}
