// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The masking of the payload of client frames (RFC 6455, section 5.3).
package enum WebSocketMask {
    /// Copies bytes and masks them in one pass.
    ///
    /// - Parameters:
    ///   - source: The bytes.
    ///   - destination: The destination, at least as large; either the same memory as the source or not overlapping it.
    ///   - mask: The masking key; its first byte is the lowest.
    package static func copy(
        _ source: UnsafeRawBufferPointer, to destination: UnsafeMutableRawBufferPointer, mask: UInt32
    ) {
        let count = source.count
        precondition(destination.count >= count)
        guard count > 0, let from = source.baseAddress, let to = destination.baseAddress else { return }
        let word = UInt64(mask) << 32 | UInt64(mask)
        let wide = SIMD4<UInt64>(repeating: word.littleEndian)
        var offset = 0
        while offset &+ 64 <= count {
            let low = from.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self) ^ wide
            let high = from.loadUnaligned(fromByteOffset: offset &+ 32, as: SIMD4<UInt64>.self) ^ wide
            to.storeBytes(of: low, toByteOffset: offset, as: SIMD4<UInt64>.self)
            to.storeBytes(of: high, toByteOffset: offset &+ 32, as: SIMD4<UInt64>.self)
            offset &+= 64
        }
        while offset &+ 8 <= count {
            let value = from.loadUnaligned(fromByteOffset: offset, as: UInt64.self) ^ word.littleEndian
            to.storeBytes(of: value, toByteOffset: offset, as: UInt64.self)
            offset &+= 8
        }
        var rest = word
        while offset < count {
            let byte = from.load(fromByteOffset: offset, as: UInt8.self) ^ UInt8(truncatingIfNeeded: rest)
            to.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
            rest &>>= 8
            offset &+= 1
        }
    }
}
