// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A signature: bytes at fixed offsets that identify a type.
///
/// The notation is `0:89'PNG'0D0A1A0A`: the offset, then bytes in hexadecimal digits, text between quotes, and `..`
/// for any byte.
struct MimeSignature: Sendable {
    let mime: String
    /// The parts, all of which must match.
    let parts: [Part]

    struct Part: Sendable {
        let offset: Int
        /// The bytes; `nil` matches any byte.
        let bytes: [UInt8?]
    }

    /// Parses a line of the table; returns `nil` if it is malformed.
    init?(_ line: Substring) {
        let fields = line.split(separator: " ")
        guard fields.count > 1 else { return nil }
        mime = String(fields[0])
        var parts: [Part] = []
        for field in fields.dropFirst() {
            guard let part = Part(field) else { return nil }
            parts.append(part)
        }
        self.parts = parts
    }

    func matches(_ bytes: ArraySlice<UInt8>) -> Bool { parts.allSatisfy { $0.matches(bytes) } }
}

extension MimeSignature.Part {
    init?(_ text: Substring) {
        guard let colon = text.firstIndex(of: ":"), let offset = Int(text[..<colon]) else { return nil }
        self.offset = offset
        var bytes: [UInt8?] = []
        var rest = text[text.index(after: colon)...].utf8
        while let first = rest.first {
            if first == UInt8(ascii: "'") {
                rest = rest.dropFirst()
                guard let end = rest.firstIndex(of: UInt8(ascii: "'")) else { return nil }
                // An underscore represents a space, because a space ends a part of the line.
                bytes += rest[..<end].map { $0 == UInt8(ascii: "_") ? UInt8(ascii: " ") : $0 }
                rest = rest[end...].dropFirst()
            } else if rest.starts(with: "..".utf8) {
                bytes.append(nil)
                rest = rest.dropFirst(2)
            } else {
                guard let byte = UInt8(Substring(rest.prefix(2)), radix: 16), rest.count > 1 else { return nil }
                bytes.append(byte)
                rest = rest.dropFirst(2)
            }
        }
        guard !bytes.isEmpty else { return nil }
        self.bytes = bytes
    }

    func matches(_ data: ArraySlice<UInt8>) -> Bool {
        guard data.count >= offset + bytes.count else { return false }
        let start = data.startIndex + offset
        for index in bytes.indices {
            if let byte = bytes[index], data[start + index] != byte { return false }
        }
        return true
    }
}
