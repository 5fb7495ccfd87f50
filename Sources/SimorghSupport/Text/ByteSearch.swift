// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension UnsafeRawBufferPointer {
    /// Returns the offset of the first occurrence of a byte; uses `memchr`, which searches many bytes at once.
    ///
    /// - Parameters:
    ///   - byte: The byte.
    ///   - range: The range to search, within the buffer.
    /// - Returns: The offset, or the end of the range if the byte does not occur.
    package func firstOffset(of byte: UInt8, in range: Range<Int>) -> Int {
        guard !range.isEmpty, let base = baseAddress,
            let hit = memchr(base + range.lowerBound, CInt(byte), range.count)
        else { return range.upperBound }
        return UnsafeRawPointer(hit) - base
    }

    /// The bytes in a range.
    package subscript(bytes range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[range])
    }

    /// Returns true if the buffer contains exactly the bytes of a string.
    package func isText(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount, let base = baseAddress else {
            return isEmpty && count == text.utf8CodeUnitCount
        }
        return memcmp(base, text.utf8Start, count) == 0
    }
}
