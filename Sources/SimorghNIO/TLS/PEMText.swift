// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// The text of certificates and keys in PEM.
package enum PEMText {
    /// The maximum size of a PEM file, in bytes.
    package static let maximumSize = 4 * 1024 * 1024

    static func read(_ source: PEMSource, describedAs description: String) throws(TLSOptionsError) -> [UInt8] {
        switch source {
        case .text(let text): return Array(text.utf8)
        case .file(let path):
            guard let bytes = FileBytes.prefix(of: path, upTo: maximumSize + 1) else {
                throw TLSOptionsError(.file, message: "the file of \(description) cannot be read: \(path)")
            }
            guard bytes.count <= maximumSize else {
                throw TLSOptionsError(.file, message: "the file of \(description) is larger than 4 MiB: \(path)")
            }
            return bytes
        @unknown default:
            throw TLSOptionsError(.file, message: "this transport does not support the source of \(description)")
        }
    }

    /// Returns true if the key in a PEM text is encrypted, in PKCS #8 or in the traditional format.
    static func isEncrypted(_ text: [UInt8]) -> Bool {
        let text = String(decoding: text, as: UTF8.self)
        return text.contains("BEGIN ENCRYPTED PRIVATE KEY") || text.contains("Proc-Type: 4,ENCRYPTED")
    }
}
