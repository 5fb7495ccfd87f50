// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

extension ResponseBody {
    /// Reads the body line by line, without making a text of each: for bytes by the gigabyte.
    ///
    /// ```swift
    /// var errors = 0
    /// try await response.forEachLine { line in
    ///     if line.count > 5, line[0] == UInt8(ascii: "E") { errors += 1 }
    /// }
    /// ```
    /// A line ends in LF, CR LF or CR, and the last one with the body. Most are looked at where they lie in the chunk, so
    /// that a line costs neither memory nor a change of task. Like the body, it can be done once.
    ///
    /// - Parameters:
    ///   - limit: The longest line to accept, in bytes; 1 MiB by default, and below zero is zero.
    ///   - take: Takes a line without its end, and ends the reading where it throws. No chunk is read from the network
    ///     before it has taken the lines of the last one.
    /// - Throws: ``StreamingError/lineTooLong(limitBytes:)``, what the body throws, or what `take` throws.
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
            Self.hand(line, to: take, &failure)
            return true
        }
        if let failure { throw failure }
        return isTaken ?? false
    }

    fileprivate mutating func finish(_ take: (Span<UInt8>) throws -> Void) throws {
        var failure: (any Error)?
        _ = try finish(for: &failure) { failure, line in Self.hand(line, to: take, &failure) }
        if let failure { throw failure }
    }

    private static func hand(
        _ line: UnsafeRawBufferPointer, to take: (Span<UInt8>) throws -> Void, _ failure: inout (any Error)?
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
