// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

extension ResponseBody {
    /// Reads the body line by line without creating strings: for gigabytes of data.
    ///
    /// ```swift
    /// var errors = 0
    /// try await response.forEachLine { line in
    ///     if line.count > 5, line[0] == UInt8(ascii: "E") { errors += 1 }
    /// }
    /// ```
    /// A line ends in LF, CR LF or CR, and the last one at the end of the body. Most lines are read in place in their
    /// chunk, without an allocation or a task switch. The body can be read once.
    ///
    /// - Parameters:
    ///   - limit: The longest line to accept, in bytes. Default: 1 MiB. A negative limit is zero.
    ///   - take: Receives a line without its terminator; if it throws, reading ends. The next chunk is read from the
    ///     network only after all lines of the last one were processed.
    /// - Throws: ``StreamingError/lineTooLong(limitBytes:)``, the error of the body, or the error of `take`.
    public func forEachLine(limit: Int = 1024 * 1024, _ take: (Span<UInt8>) throws -> Void) async throws {
        var splitter = LineSplitter(.any, limit: limit)
        for try await chunk in self {
            try chunk.withUnsafeBytes { bytes in
                var position = 0
                while try splitter.next(in: bytes, at: &position, take) {}
            }
        }
        try splitter.finish(take)
    }
}

extension LineSplitter {
    fileprivate mutating func next(
        in bytes: UnsafeRawBufferPointer, at position: inout Int, _ take: (Span<UInt8>) throws -> Void
    ) throws -> Bool {
        var failure: (any Error)?
        let isTaken: Bool? = try next(in: bytes, at: &position, for: &failure) { failure, line in
            Self.pass(line, to: take, failure: &failure)
            return true
        }
        if let failure { throw failure }
        return isTaken ?? false
    }

    fileprivate mutating func finish(_ take: (Span<UInt8>) throws -> Void) throws {
        var failure: (any Error)?
        _ = try finish(for: &failure) { failure, line in Self.pass(line, to: take, failure: &failure) }
        if let failure { throw failure }
    }

    private static func pass(
        _ line: UnsafeRawBufferPointer, to take: (Span<UInt8>) throws -> Void, failure: inout (any Error)?
    ) {
        line.withMemoryRebound(to: UInt8.self) { line in
            do {
                try take(line.span)
            } catch {
                failure = error
            }
        }
    }
}
