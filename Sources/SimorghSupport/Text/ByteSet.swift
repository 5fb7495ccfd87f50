// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A set of ASCII bytes that is asked in a few instructions; no byte from 0x80 up is ever in it.
package struct ByteSet: Sendable {
    @usableFromInline let low: UInt64
    @usableFromInline let high: UInt64

    private init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    /// The bytes of an ASCII text.
    package init(_ text: StaticString) {
        var (low, high): (UInt64, UInt64) = (0, 0)
        text.withUTF8Buffer { bytes in
            for byte in bytes {
                if byte < 64 { low |= 1 << UInt64(byte) } else if byte < 128 { high |= 1 << UInt64(byte - 64) }
            }
        }
        self.init(low: low, high: high)
    }

    // Performance: asked for each byte of a text, and in other targets it is inlined only so; `@inlinable` has no effect on a
    // package function.
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
    /// What needs no escape anywhere in a URL (RFC 3986, section 2.3).
    package static let unreserved = letters.union(digits).union(ByteSet("-._~"))
    /// What a path may hold as it is: `pchar` and the slash (RFC 3986, section 3.3).
    package static let path = unreserved.union(ByteSet("!$&'()*+,;=:@/"))
    /// What a query may hold as it is (RFC 3986, section 3.4).
    package static let query = path.union(ByteSet("?"))
    /// The bytes that need no escape in a user name and a password (RFC 3986, section 3.2.1).
    package static let userInfo = unreserved.union(ByteSet("!$&'()*+,;=:"))
    /// What follows the first letter of a scheme (RFC 3986, section 3.1).
    package static let scheme = letters.union(digits).union(ByteSet("+-."))
    /// What the name of a host is made of.
    package static let hostName = letters.union(digits).union(ByteSet("-._"))
}
