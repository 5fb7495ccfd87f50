// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A set of ASCII bytes with a fast membership test; it never contains bytes from 0x80.
package struct ByteSet: Sendable {
    @usableFromInline let low: UInt64
    @usableFromInline let high: UInt64

    private init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    /// Creates a set of the bytes of an ASCII string.
    package init(_ text: StaticString) {
        var (low, high): (UInt64, UInt64) = (0, 0)
        text.withUTF8Buffer { bytes in
            for byte in bytes {
                if byte < 64 { low |= 1 << UInt64(byte) } else if byte < 128 { high |= 1 << UInt64(byte - 64) }
            }
        }
        self.init(low: low, high: high)
    }

    // Performance: called for each byte of a text. Only this attribute inlines it in other targets; `@inlinable` has no
    // effect on a package function.
    @_alwaysEmitIntoClient
    @inline(__always)
    package func contains(_ byte: UInt8) -> Bool {
        if byte < 64 { return low & (1 << UInt64(byte)) != 0 }
        return byte < 128 && high & (1 << UInt64(byte - 64)) != 0
    }

    package func union(_ other: ByteSet) -> ByteSet {
        ByteSet(low: low | other.low, high: high | other.high)
    }
}

extension ByteSet {
    package static let digits = ByteSet("0123456789")
    package static let letters = ByteSet("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
    /// The bytes that need no escape anywhere in a URL (RFC 3986, section 2.3).
    package static let unreserved = letters.union(digits).union(ByteSet("-._~"))
    /// The bytes that a path may contain unescaped: `pchar` and the slash (RFC 3986, section 3.3).
    package static let path = unreserved.union(ByteSet("!$&'()*+,;=:@/"))
    /// The bytes that a query may contain unescaped (RFC 3986, section 3.4).
    package static let query = path.union(ByteSet("?"))
    /// The bytes that a user name and a password may contain unescaped (RFC 3986, section 3.2.1).
    package static let userInfo = unreserved.union(ByteSet("!$&'()*+,;=:"))
    /// The bytes that may follow the first letter of a scheme (RFC 3986, section 3.1).
    package static let scheme = letters.union(digits).union(ByteSet("+-."))
    /// The bytes that a host name may contain.
    package static let hostName = letters.union(digits).union(ByteSet("-._"))
}
