// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A few bytes of a file, read where they are asked for: never for more than a page or so.
package enum FileBytes {
    /// Whether this process may open one more file: where it may not, what cannot be read tells nothing.
    package static var mayOpen: Bool {
        let descriptor = open("/", O_RDONLY | O_CLOEXEC)
        guard descriptor < 0 else { return close(descriptor) == 0 }
        return errno != EMFILE && errno != ENFILE
    }

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
        let filled = bytes.withUnsafeMutableBytes { FileCalls.read(descriptor, into: $0, at: offset) }
        guard filled >= 0 else { return nil }
        return Array(bytes.prefix(filled))
    }
}
