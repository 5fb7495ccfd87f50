// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport

/// A cache of the last response head of a connection: its bytes and the parsed result.
///
/// Servers repeat most of their heads. Equal bytes have the same meaning, so a head that equals the last one costs one
/// comparison; otherwise only the lines that differ are parsed.
struct ResponseHeadCache: Sendable {
    /// The range of a field in the bytes, and its role for the engine.
    struct Line: Sendable {
        var start: Int
        var count: Int
        var role: KnownField.Role
    }

    /// The maximum size of a cached head, in bytes.
    static let maximumSize = 2048

    private var bytes: [UInt8] = []
    private var lines: [Line] = []
    private var head: ResponseHead?
    private var framing = ResponseParser.Framing.none
    private var isHead = false
    private var limits = ResponseLimits()

    /// Returns the cached head if the bytes begin with it.
    ///
    /// - Parameters:
    ///   - buffer: The bytes.
    ///   - isHead: True for the response to a `HEAD` request.
    ///   - limits: The limits of the head; one that was accepted under other limits is parsed again.
    /// - Returns: The head, the framing of its body, and its size in bytes.
    func repetition(
        in buffer: UnsafeRawBufferPointer, isHead: Bool, limits: ResponseLimits
    ) -> (ResponseHead, ResponseParser.Framing, count: Int)? {
        guard let head, buffer.count >= bytes.count, isHead == self.isHead, limits == self.limits,
            equals(buffer, at: 0, count: bytes.count)
        else { return nil }
        return (head, framing, bytes.count)
    }

    /// Returns the field of a line if the cached head has the same line at this index.
    func field(at index: Int, matching line: UnsafeRawBufferPointer) -> (HTTPField, KnownField.Role)? {
        guard let head, index < lines.count else { return nil }
        let known = lines[index]
        guard known.count == line.count, equals(line, at: known.start, count: known.count) else { return nil }
        return (head.response.headerFields[index], known.role)
    }

    /// Stores a head.
    mutating func store(
        _ head: ResponseHead, framing: ResponseParser.Framing, bytes: UnsafeRawBufferPointer, lines: [Line],
        isHead: Bool, limits: ResponseLimits
    ) {
        self.bytes.removeAll(keepingCapacity: true)
        self.bytes.append(contentsOf: bytes)
        self.lines = lines
        self.head = head
        self.framing = framing
        self.isHead = isHead
        self.limits = limits
    }

    private func equals(_ other: UnsafeRawBufferPointer, at start: Int, count: Int) -> Bool {
        guard count > 0, let other = other.baseAddress else { return count == 0 }
        return bytes.withUnsafeBytes { bytes in
            guard let own = bytes.baseAddress, start + count <= bytes.count else { return false }
            return memcmp(own + start, other, count) == 0
        }
    }
}
