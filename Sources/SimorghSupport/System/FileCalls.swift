// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Calls of the system that may do a part of the work, repeated until all of it is done; they block.
package enum FileCalls {
    /// Whether an error says what a file is, and not only what the disk, the machine or the process cannot do now.
    ///
    /// - Parameter code: Its number.
    /// - Returns: Whether the file is to blame.
    package static func isAboutFile(_ code: CInt) -> Bool {
        [ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG, EISDIR, ENXIO, ENODEV, EINVAL].contains(code)
    }

    /// Reads from a place on, as many bytes as there is room for.
    ///
    /// - Returns: How many were read: fewer only where the file ends; less than zero where it cannot be read, and `errno`
    ///   says why.
    package static func read(_ descriptor: CInt, into buffer: UnsafeMutableRawBufferPointer, at place: Int64) -> Int {
        var filled = 0
        while filled < buffer.count {
            let count = pread(
                descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled, off_t(place) + off_t(filled))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return -1 }
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// Reads from a place on into several places, one after the other.
    ///
    /// - Returns: Whether all of them are full; where it is cut short, it is not gone on with.
    package static func isRead(_ descriptor: CInt, into parts: [iovec], at place: Int64) -> Bool {
        let wanted = parts.reduce(0) { $0 + $1.iov_len }
        return parts.withUnsafeBufferPointer { preadv(descriptor, $0.baseAddress, CInt($0.count), off_t(place)) }
            == wanted
    }

    /// Writes bytes at a place.
    ///
    /// - Returns: The number of the error; zero where all are written.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt, at place: Int64) -> CInt {
        var written = 0
        while written < bytes.count {
            let count = pwrite(
                descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written,
                off_t(place) + off_t(written))
            if count > 0 {
                written += count
            } else if count == 0 || errno != EINTR {
                return count == 0 ? ENOSPC : errno
            }
        }
        return 0
    }

    /// Writes several stretches of bytes at a place, one behind the other.
    ///
    /// - Parameters:
    ///   - parts: The bytes; no more at a time than the system takes, which is 1024.
    ///   - descriptor: The file.
    ///   - place: Where the first of them belongs.
    /// - Returns: The number of the error; zero where all are written.
    package static func write(_ parts: [iovec], to descriptor: CInt, at place: Int64) -> CInt {
        guard !parts.isEmpty else { return 0 }
        var written = 0
        while true {
            written = parts.withUnsafeBufferPointer {
                pwritev(descriptor, $0.baseAddress, CInt($0.count), off_t(place))
            }
            if written >= 0 { break }
            if errno != EINTR { return errno }
        }
        // What it did not take goes piece by piece; on a disk that is full the next call says so.
        var start = place
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

    /// Makes a folder, and those that it is in.
    ///
    /// - Returns: The path that could not be made, and `errno` says why; `nil` where all are there.
    package static func makeFolder(_ folder: String, mode: mode_t) -> String? {
        var path = folder.utf8.first == UInt8(ascii: "/") ? "" : "."
        for part in folder.cut(at: "/", keepsEmpty: false) {
            path += "/\(part)"
            guard mkdir(path, mode) == 0 || errno == EEXIST || access(path, F_OK) == 0 else { return path }
        }
        return nil
    }
}
