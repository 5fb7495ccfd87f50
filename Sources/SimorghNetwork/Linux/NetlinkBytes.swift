// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport

/// A reader of numbers and attributes in a netlink message; it does not trap on any input.
package struct NetlinkBytes: Sendable {
    private let bytes: ArraySlice<UInt8>

    package init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    package var count: Int { bytes.count }
    package var all: [UInt8] { Array(bytes) }

    /// Returns the number at an offset, in the byte order of this machine and its kernel; `nil` past the end.
    package func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self, at offset: Int) -> Number? {
        let size = Number.bitWidth / 8
        guard offset >= 0, offset <= count - size else { return nil }
        var number: Number = 0
        let start = bytes.startIndex + offset
        withUnsafeMutableBytes(of: &number) { $0.copyBytes(from: bytes[start..<start + size]) }
        return number
    }

    /// Returns the bytes in a range; `nil` past the end.
    package func part(_ range: Range<Int>) -> NetlinkBytes? {
        guard range.lowerBound >= 0, range.upperBound <= count else { return nil }
        return NetlinkBytes(bytes[bytes.startIndex + range.lowerBound..<bytes.startIndex + range.upperBound])
    }

    /// The bytes as text, up to the first zero.
    package var text: String { String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }

    /// All bytes as an address.
    package var address: NumericAddress? { NumericAddress(bytes) }

    /// Returns the attributes from an offset on, up to the first incomplete one.
    package func attributes(from offset: Int) -> [UInt16: NetlinkBytes] {
        var attributes: [UInt16: NetlinkBytes] = [:]
        var position = offset
        while let length = number(UInt16.self, at: position).map(Int.init), length >= 4,
            let type = number(UInt16.self, at: position + 2), let value = part(position + 4..<position + length)
        {
            // The two highest bits tell how to interpret the value, which is known for each attribute.
            attributes[type & 0x3FFF] = value
            position += (length + 3) & ~3
        }
        return attributes
    }
}
