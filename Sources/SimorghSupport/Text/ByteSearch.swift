// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension UnsafeRawBufferPointer {
    /// Where a byte stands first, by the system's search, which looks at many at once.
    ///
    /// - Parameters:
    ///   - byte: The byte.
    ///   - range: Where to look; inside the buffer.
    /// - Returns: Its place, or the range's end where it does not stand in it.
    package func firstPlace(of byte: UInt8, in range: Range<Int>) -> Int {
        guard !range.isEmpty, let base = baseAddress,
            let hit = memchr(base + range.lowerBound, CInt(byte), range.count)
        else { return range.upperBound }
        return UnsafeRawPointer(hit) - base
    }

    /// The same bytes, without those before and after a range.
    package subscript(bytes range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[range])
    }

    /// Whether the buffer holds the bytes of a text, and no more.
    package func isText(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount, let base = baseAddress else {
            return isEmpty && count == text.utf8CodeUnitCount
        }
        return memcmp(base, text.utf8Start, count) == 0
    }
}
