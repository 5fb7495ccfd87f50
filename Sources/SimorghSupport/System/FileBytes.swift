// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Reads a few bytes of a file, up to about a page, on the calling thread.
package enum FileBytes {
    /// True if this process can open another file; if not, a failure to open a file says nothing about that file.
    package static var mayOpen: Bool {
        let descriptor = open("/", O_RDONLY | O_CLOEXEC)
        guard descriptor < 0 else { return close(descriptor) == 0 }
        return errno != EMFILE && errno != ENFILE
    }

    /// Returns the first bytes of a file; `nil` if it cannot be read.
    package static func prefix(of path: String, upTo count: Int) -> [UInt8]? { bytes(of: path, at: 0, upTo: count) }

    /// Returns bytes of a file from an offset, fewer at its end; `nil` if it cannot be read.
    package static func bytes(of path: String, at offset: Int64, upTo count: Int) -> [UInt8]? {
        guard !path.utf8.contains(0) else { return nil }
        // Does not block on a pipe.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: count)
        let filled = bytes.withUnsafeMutableBytes { FileCalls.read(descriptor, into: $0, at: offset) }
        guard filled >= 0 else { return nil }
        return Array(bytes.prefix(filled))
    }
}
