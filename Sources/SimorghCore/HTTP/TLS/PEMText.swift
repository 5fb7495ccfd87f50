// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Reads certificates and keys: texts in PEM, and PKCS #12 files.
package enum PEMText {
    /// The maximum size of a file, in bytes.
    package static let maximumSize = 4 * 1024 * 1024

    /// Returns the text of a source; blocks while it reads a file.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - description: The subject of an error message.
    /// - Returns: The bytes of the text.
    /// - Throws: `TLSOptionsError` if a file cannot be read or is too large.
    package static func read(
        _ source: PEMSource, describedAs description: String
    ) throws(TLSOptionsError) -> [UInt8] {
        switch source {
        case .text(let text): Array(text.utf8)
        case .file(let path): try read(file: path, describedAs: description)
        }
    }

    /// Returns the bytes of a PKCS #12 archive; blocks while it reads a file.
    package static func read(_ archive: PKCS12Source) throws(TLSOptionsError) -> [UInt8] {
        switch archive {
        case .data(let data): Array(data)
        case .file(let path): try read(file: path, describedAs: "the client's PKCS #12 archive")
        }
    }

    private static func read(file path: String, describedAs description: String) throws(TLSOptionsError) -> [UInt8] {
        guard let bytes = FileBytes.prefix(of: path, upTo: maximumSize + 1) else {
            throw TLSOptionsError(.file, message: "the file of \(description) cannot be read: \(path)")
        }
        guard bytes.count <= maximumSize else {
            throw TLSOptionsError(.file, message: "the file of \(description) is larger than 4 MiB: \(path)")
        }
        return bytes
    }

    /// Returns true if the key in a PEM text is encrypted, in PKCS #8 or in the traditional format.
    package static func isEncrypted(_ text: [UInt8]) -> Bool {
        let text = String(decoding: text, as: UTF8.self)
        return text.contains("BEGIN ENCRYPTED PRIVATE KEY") || text.contains("Proc-Type: 4,ENCRYPTED")
    }
}
