// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A domain name in the form of a message (RFC 1035, section 3.1): labels with their lengths, in lowercase, without
/// compression.
package struct DNSName: Sendable, Hashable {
    /// The largest name, in bytes, with the length of each label and the root.
    static let maximumBytes = 255
    private static let maximumLabelBytes = 63
    private static let headerBytes = 12
    /// The largest number of compression pointers in a name, which has at most 127 labels.
    ///
    /// Every record of a message can lead through the same chain of pointers, which would otherwise have thousands.
    package static let maximumPointers = 127
    /// The two high bits of a compression pointer.
    private static let pointer: UInt8 = 0xC0

    /// The labels, with a byte for the length before each, and the empty label of the root at the end.
    let bytes: [UInt8]

    /// Creates the name of a host; `nil` if it is not the name of a host.
    ///
    /// - Parameter host: The name; a dot at its end is ignored.
    package init?(_ host: String) {
        guard var name = HostSyntax.normalized(host), name.first != "[" else { return nil }
        if name.hasSuffix(".") { name.removeLast() }
        var bytes: [UInt8] = []
        for label in name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
            guard (1...Self.maximumLabelBytes).contains(label.count) else { return nil }
            bytes.append(UInt8(label.count))
            bytes += label
        }
        bytes.append(0)
        guard bytes.count <= Self.maximumBytes else { return nil }
        self.bytes = bytes
    }

    /// Reads a name of a message, which may be compressed (RFC 1035, section 4.1.4).
    ///
    /// Each pointer must lead to an offset before all labels read so far, so that reading ends, and behind the header. A
    /// name has at most ``maximumPointers``.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - position: The offset of the name; afterwards the offset behind it.
    /// - Throws: `DNSMessageError.malformed`.
    init(_ message: [UInt8], at position: inout Int) throws(DNSMessageError) {
        var bytes: [UInt8] = []
        var offset = position
        var end: Int?
        var lowest = position
        var pointers = 0
        while true {
            guard offset < message.count else { throw .malformed("a name reaches beyond the message") }
            let length = message[offset]
            if length & Self.pointer == Self.pointer {
                guard offset + 1 < message.count else { throw .malformed("a name reaches beyond the message") }
                let target = Int(length & ~Self.pointer) << 8 | Int(message[offset + 1])
                guard target < lowest else { throw .malformed("a compression pointer does not point backward") }
                guard target >= Self.headerBytes else { throw .malformed("a compression pointer points to the header") }
                pointers += 1
                guard pointers <= Self.maximumPointers else {
                    throw .malformed("a name has more than \(Self.maximumPointers) compression pointers")
                }
                end = end ?? offset + 2
                (offset, lowest) = (target, target)
                continue
            }
            guard length & Self.pointer == 0 else { throw .malformed("a label has an unknown type") }
            guard bytes.count + 1 + Int(length) <= Self.maximumBytes else {
                throw .malformed("a name has more than 255 bytes")
            }
            guard offset + Int(length) < message.count else { throw .malformed("a name reaches beyond the message") }
            bytes.append(length)
            for byte in message[(offset + 1)...].prefix(Int(length)) {
                bytes.append((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte)
            }
            offset += 1 + Int(length)
            if length == 0 { break }
        }
        position = end ?? offset
        self.bytes = bytes
    }
}
