// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport

/// The last head of a connection, byte for byte, and what it was read as.
///
/// A server says nearly the same each time. Bytes that were read and found good once mean the same again, so a head that
/// equals the last one costs a comparison, and one that differs is read anew only in the lines that differ.
struct HeadMemory: Sendable {
    /// Where a field stands among the bytes, and what it means to the engine.
    struct Line: Sendable {
        var start: Int
        var count: Int
        var role: KnownField.Role
    }

    /// A larger head is not kept.
    static let largest = 2048

    private var bytes: [UInt8] = []
    private var lines: [Line] = []
    private var head: ResponseHead?
    private var framing = ResponseParser.Framing.none
    private var isHead = false
    private var limits = ResponseLimits()

    /// The head that bytes begin with, if it is the last one again.
    ///
    /// - Parameters:
    ///   - buffer: The bytes.
    ///   - isHead: Whether they answer a `HEAD` request.
    ///   - limits: How large the head may be; one that was accepted under other limits is read again.
    /// - Returns: The head, how the body behind it is framed, and how many bytes it takes.
    func repetition(
        in buffer: UnsafeRawBufferPointer, isHead: Bool, limits: ResponseLimits
    ) -> (ResponseHead, ResponseParser.Framing, count: Int)? {
        guard let head, buffer.count >= bytes.count, isHead == self.isHead, limits == self.limits,
            equals(buffer, at: 0, count: bytes.count)
        else { return nil }
        return (head, framing, bytes.count)
    }

    /// The field of a line, if the last head had the same at this place.
    func field(at index: Int, _ line: UnsafeRawBufferPointer) -> (HTTPField, KnownField.Role)? {
        guard let head, index < lines.count else { return nil }
        let known = lines[index]
        guard known.count == line.count, equals(line, at: known.start, count: known.count) else { return nil }
        return (head.response.headerFields[index], known.role)
    }

    /// Keeps a head.
    mutating func keep(
        _ head: ResponseHead, _ framing: ResponseParser.Framing, _ bytes: UnsafeRawBufferPointer, _ lines: [Line],
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
