// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The redaction of URL paths: parameters with sensitive names (`/cart;jsessionid=x`), and segments that are tokens.
package enum PathRedactor {
    /// Returns a redacted path, or a redacted URL up to its query.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - isSecret: Returns true if the unescaped name of a parameter is sensitive.
    ///   - found: Called with each redacted value, as written in the path.
    /// - Returns: The redacted path.
    package static func shown(
        _ path: Substring, where isSecret: (_ name: [UInt8]) -> Bool, found: (Substring) -> Void = { _ in }
    ) -> String {
        // Performance: one pass over the bytes, because each event shows a URL.
        let mayHide = PercentEncoding.withBytes(of: path.utf8) { bytes in
            bytes.indices.contains { position in
                bytes[position] == UInt8(ascii: ";")
                    || bytes[position] == UInt8(ascii: "J") && bytes[..<position].suffix(2).elementsEqual("ey".utf8)
            }
        }
        guard mayHide else { return String(path) }
        return path.cut(at: "/").map { segment -> String in
            segment.cut(at: ";").map { piece -> String in
                if TextRedactor.isToken(piece.utf8) {
                    found(piece)
                    return RedactionRules.mask
                }
                guard let equals = piece.utf8.firstIndex(of: UInt8(ascii: "=")) else { return String(piece) }
                let value = piece[piece.utf8.index(after: equals)...]
                let name = PercentEncoding.decodedItem(piece.utf8[..<equals])
                guard isSecret(name) || TextRedactor.isToken(value.utf8) else { return String(piece) }
                found(value)
                return "\(piece[..<equals])=\(RedactionRules.mask)"
            }.joined(separator: ";")
        }.joined(separator: "/")
    }
}
