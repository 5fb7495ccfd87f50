// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A writer into the buffer of a new string; the caller has computed the number of bytes before.
package struct ByteWriter {
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    package private(set) var count = 0

    package init(_ buffer: UnsafeMutableBufferPointer<UInt8>) { self.buffer = buffer }

    @inline(__always)
    package mutating func append(_ byte: UInt8) {
        precondition(count < buffer.count, "more bytes were written than counted")
        buffer[count] = byte
        count += 1
    }

    package mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            precondition(bytes.count <= buffer.count - count, "more bytes were written than counted")
            _ = UnsafeMutableBufferPointer(rebasing: buffer[count...]).update(fromContentsOf: bytes)
            count += bytes.count
        }
    }

    /// Writes `%` and two upper-case hexadecimal digits, as RFC 3986, section 2.1, recommends.
    package mutating func append(escapeOf byte: UInt8) {
        append(UInt8(ascii: "%"))
        append(Self.hexDigit(byte >> 4))
        append(Self.hexDigit(byte & 15))
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
