// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh
import SimorghSupport

/// The URLs of a file, one per line.
package struct URLList: Sendable, Equatable {
    /// A line with a URL.
    package struct Line: Sendable, Equatable {
        /// The line number, from 1.
        package let number: Int
        package let text: String
    }

    /// The maximum size of the file, in bytes.
    private static let maximumBytes = 64 * 1024 * 1024

    /// The name of the file, for messages.
    package let name: String
    package let lines: [Line]

    /// Parses the text of a file: UTF-8, or UTF-16 if it has a byte order mark.
    ///
    /// A line that begins with `#` is a comment.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - name: The file's name, for messages.
    package init(_ bytes: [UInt8], name: String) {
        self.name = name
        var lines: [Line] = []
        for (index, line) in Self.text(bytes).split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline
        ).enumerated() {
            guard let url = line.split(whereSeparator: \.isWhitespace).first, !url.hasPrefix("#") else { continue }
            lines.append(Line(number: index + 1, text: String(url)))
        }
        self.lines = lines
    }

    private static func text(_ bytes: [UInt8]) -> String {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return String(decoding: bytes.dropFirst(3), as: UTF8.self) }
        guard bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) else {
            return String(decoding: bytes, as: UTF8.self)
        }
        let isLittle = bytes[0] == 0xFF
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isLittle ? second << 8 | first : first << 8 | second
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// Reads a file, which may be a pipe; `-` is standard input.
    ///
    /// - Parameter path: The path.
    /// - Returns: The list.
    /// - Throws: ``CommandError``; `CancellationError` if the task is cancelled while it waits for a pipe.
    package static func read(_ path: String) async throws -> URLList {
        let shown = DisplayText.oneLine(path)
        guard path != "-" else { return try await read(StandardInputChunks(), name: "standard input") }
        let number = await FileQueue.run { openToRead(path) }
        guard number >= 0 else {
            throw CommandError.usage("--input-file \(shown): \(String(cString: strerror(-number)))")
        }
        defer { close(number) }
        return try await read(StandardInputChunks(descriptor: number), name: shown)
    }

    private static func read(_ chunks: StandardInputChunks, name: String) async throws -> URLList {
        var bytes: [UInt8] = []
        do {
            for try await chunk in chunks {
                bytes += chunk
                guard bytes.count <= maximumBytes else {
                    throw CommandError.usage("--input-file \(name): the list is larger than 64 MiB")
                }
            }
        } catch let error as StandardInputChunks.ReadError {
            throw CommandError.usage("--input-file \(name): \(String(cString: strerror(error.code)))")
        }
        return URLList(bytes, name: name)
    }
}

/// Opens a file, waiting for the other end of a pipe; returns the descriptor, or the negative `errno`.
private func openToRead(_ path: String) -> CInt {
    let number = open(path, O_RDONLY | O_CLOEXEC)
    return number >= 0 ? number : -errno
}
#endif
