// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The rotation of a log file: decides when it is full and which files to rename.
///
/// A value without I/O.
package struct LogFileRotation: Sendable, Equatable {
    /// A rename, or a removal if there is no new name.
    package struct Move: Sendable, Equatable {
        package let from: String
        package let to: String?

        package init(from: String, to: String?) {
            self.from = from
            self.to = to
        }
    }

    package let path: String
    package let maximumBytes: Int
    package let maximumFiles: Int
    /// The size of the file, in bytes.
    package private(set) var size: Int

    package init(path: String, maximumBytes: Int, maximumFiles: Int, size: Int = 0) {
        self.path = path
        self.maximumBytes = max(1, maximumBytes)
        self.maximumFiles = min(max(1, maximumFiles), 100)
        self.size = size
    }

    /// The file was opened and has the given size.
    package mutating func opened(_ size: Int) { self.size = size }

    /// Returns true if the file must be rotated before `count` more bytes.
    ///
    /// An empty file is never rotated.
    package func isFull(for count: Int) -> Bool { size > 0 && size + count > maximumBytes }

    /// Adds the number of bytes that were written.
    package mutating func didWrite(_ count: Int) { size += count }

    /// The renames and removals before a new file is created, in order.
    package var moves: [Move] {
        guard maximumFiles > 1 else { return [Move(from: path, to: nil)] }
        let last = maximumFiles - 1
        return stride(from: last, to: 1, by: -1).map { Move(from: "\(path).\($0 - 1)", to: "\(path).\($0)") }
            + [Move(from: path, to: "\(path).1")]
    }
}
