// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// When a log file is full, and what is renamed then: a value.
package struct LogFileRotation: Sendable, Equatable {
    /// A renaming, or a removal where there is no new name.
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
    /// The bytes that the file has.
    package private(set) var size: Int

    package init(path: String, maximumBytes: Int, maximumFiles: Int, size: Int = 0) {
        self.path = path
        self.maximumBytes = max(1, maximumBytes)
        self.maximumFiles = min(max(1, maximumFiles), 100)
        self.size = size
    }

    /// The file was opened, and has so many bytes.
    package mutating func opened(_ size: Int) { self.size = size }

    /// Whether the file is set aside before so many bytes more; an empty one never is, however long the line.
    package func isFull(for count: Int) -> Bool { size > 0 && size + count > maximumBytes }

    /// So many bytes were written.
    package mutating func wrote(_ count: Int) { size += count }

    /// What to do with the files there are, in this order, before a new one is begun.
    package var moves: [Move] {
        guard maximumFiles > 1 else { return [Move(from: path, to: nil)] }
        let last = maximumFiles - 1
        return stride(from: last, to: 1, by: -1).map { Move(from: "\(path).\($0 - 1)", to: "\(path).\($0)") }
            + [Move(from: path, to: "\(path).1")]
    }
}
