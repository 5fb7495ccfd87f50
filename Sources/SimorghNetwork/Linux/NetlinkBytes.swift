// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport

/// Numbers and attributes in the bytes of a netlink message; whatever the bytes are, nothing here traps.
package struct NetlinkBytes: Sendable {
    private let bytes: ArraySlice<UInt8>

    package init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    package var count: Int { bytes.count }
    package var all: [UInt8] { Array(bytes) }

    /// A number at a place, in the byte order of this machine, which is the kernel's; `nil` past the end.
    package func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self, at offset: Int) -> Number? {
        let size = Number.bitWidth / 8
        guard offset >= 0, offset <= count - size else { return nil }
        var number: Number = 0
        let start = bytes.startIndex + offset
        withUnsafeMutableBytes(of: &number) { $0.copyBytes(from: bytes[start..<start + size]) }
        return number
    }

    /// The bytes from a place up to another; `nil` where there are not so many.
    package func part(_ range: Range<Int>) -> NetlinkBytes? {
        guard range.lowerBound >= 0, range.upperBound <= count else { return nil }
        return NetlinkBytes(bytes[bytes.startIndex + range.lowerBound..<bytes.startIndex + range.upperBound])
    }

    /// A text that ends with a zero, or with the bytes.
    package var text: String { String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }

    /// The address that all the bytes are.
    package var address: NumericAddress? { NumericAddress(bytes) }

    /// The attributes from a place on, up to the first that is not whole.
    package func attributes(from offset: Int) -> [UInt16: NetlinkBytes] {
        var attributes: [UInt16: NetlinkBytes] = [:]
        var place = offset
        while let length = number(UInt16.self, at: place).map(Int.init), length >= 4,
            let type = number(UInt16.self, at: place + 2), let value = part(place + 4..<place + length)
        {
            // The two highest bits say how the value is to be read, which we know.
            attributes[type & 0x3FFF] = value
            place += (length + 3) & ~3
        }
        return attributes
    }
}
