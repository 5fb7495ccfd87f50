// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The bytes of keys in PEM (RFC 7468), for the forms that the cryptography library does not parse.
package enum PEMKey {
    /// The maximum size of a key's text, in bytes.
    package static let maximumTextBytes = 16 * 1024

    /// Returns the bytes of a key in PEM with the label `PRIVATE KEY` or `PUBLIC KEY`; `nil` for any other text.
    package static func der(_ text: String, isPrivate: Bool) -> Data? {
        guard text.utf8.count <= maximumTextBytes else { return nil }
        let label = isPrivate ? "PRIVATE KEY" : "PUBLIC KEY"
        guard let start = text.firstRange(of: "-----BEGIN \(label)-----") else { return nil }
        let rest = text[start.upperBound...]
        guard let end = rest.firstRange(of: "-----END \(label)-----") else { return nil }
        return Data(base64Encoded: String(rest[..<end.lowerBound].filter { !$0.isWhitespace }))
    }

    /// Returns the bytes of an Ed25519 key in PEM (RFC 8410, sections 4 and 7); `nil` for any other text.
    package static func ed25519(_ text: String, isPrivate: Bool) -> Data? {
        guard let der = der(text, isPrivate: isPrivate) else { return nil }
        // The structures have a fixed length, so the key follows a fixed beginning.
        let head: [UInt8] =
            isPrivate
            ? [0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20]
            : [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00]
        guard der.count == head.count + 32, der.starts(with: head) else { return nil }
        return Data(der.suffix(32))
    }
}
