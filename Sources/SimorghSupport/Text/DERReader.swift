// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A reader of nested DER elements that never reads past the end.
package struct DERReader {
    /// The bytes that were not read yet.
    package private(set) var rest: ArraySlice<UInt8>

    package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Returns the content of the next element if it has a tag; otherwise reads nothing.
    package mutating func enter(_ tag: UInt8) -> DERReader? {
        var bytes = rest
        guard bytes.popFirst() == tag, let first = bytes.popFirst() else { return nil }
        var length = Int(first)
        if first >= 0x80 {
            let digits = Int(first & 0x7F)
            guard (1...4).contains(digits), bytes.count >= digits else { return nil }
            length = bytes.prefix(digits).reduce(0) { $0 << 8 | Int($1) }
            bytes = bytes.dropFirst(digits)
        }
        // Four digits can make an integer of 32 bits negative.
        guard length >= 0, length <= bytes.count else { return nil }
        rest = bytes.dropFirst(length)
        return DERReader(bytes.prefix(length))
    }
}

extension DERReader {
    /// Returns the `SubjectPublicKeyInfo` of a certificate, both in DER; `nil` if it is missing.
    ///
    /// NIOSSL's own function ends the process for a kind of key that BoringSSL does not know.
    package static func publicKeyInfo(of certificate: [UInt8]) -> [UInt8]? {
        var outer = DERReader(certificate[...])
        guard var whole = outer.enter(0x30), var content = whole.enter(0x30) else { return nil }
        // The optional version, and the serial number.
        _ = content.enter(0xA0)
        guard content.enter(0x02) != nil else { return nil }
        // The signature algorithm, the issuer, the validity and the subject.
        for _ in 0..<4 {
            guard content.enter(0x30) != nil else { return nil }
        }
        let rest = content.rest
        guard content.enter(0x30) != nil else { return nil }
        return Array(rest.prefix(upTo: content.rest.startIndex))
    }
}
