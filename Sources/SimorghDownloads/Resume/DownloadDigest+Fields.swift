// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghCore
import SimorghSupport

extension DownloadDigest {
    /// Returns the digests in a field such as `Repr-Digest` (RFC 9530).
    ///
    /// Unknown algorithms, hashes of another length and MD5, which is weak, are left out. A malformed field has no digest.
    ///
    /// - Parameter values: The values of all fields of the name.
    /// - Returns: The digests.
    package static func parse(_ values: [String]) -> [DownloadDigest] {
        (StructuredField.byteSequences(values) ?? []).compactMap { key, bytes in
            guard let algorithm = Algorithm(rawValue: key), algorithm != .md5, let bytes else { return nil }
            return DownloadDigest(algorithm, bytes: bytes)
        }
    }

    /// Returns the digests of the whole file in a response: `Repr-Digest` (RFC 9530), which is the same in a partial
    /// response.
    ///
    /// - Parameters:
    ///   - fields: The header fields.
    ///   - legacy: True to read the obsolete `Digest` of RFC 3230 as well.
    /// - Returns: The digests.
    package static func ofWhole(_ fields: HTTPFields, legacy: Bool) -> [DownloadDigest] {
        let digests = parse(fields[values: .known("Repr-Digest")])
        guard legacy, let old = fields[.known("Digest")] else { return digests }
        return digests + parseLegacy(old).filter { new in !digests.contains { $0.algorithm == new.algorithm } }
    }

    /// Returns the digests of a response's own content, which is the whole file only if the response is not partial.
    ///
    /// - Parameters:
    ///   - fields: The header fields.
    ///   - legacy: True to read `Content-MD5` as well.
    /// - Returns: The digests.
    package static func ofContent(_ fields: HTTPFields, legacy: Bool) -> [DownloadDigest] {
        var digests = parse(fields[values: .known("Content-Digest")])
        if legacy, let text = fields[.known("Content-MD5")], let bytes = Data(base64Encoded: text),
            let digest = DownloadDigest(.md5, bytes: Array(bytes))
        {
            digests.append(digest)
        }
        return digests
    }

    /// Parses `SHA-256=…` in base64, as defined by RFC 3230.
    private static func parseLegacy(_ field: String) -> [DownloadDigest] {
        field.split(separator: ",").compactMap { member in
            let text = member.drop { $0 == " " || $0 == "\t" }
            guard let mark = text.firstIndex(of: "="),
                let algorithm = Algorithm(rawValue: text[..<mark].lowercased()),
                let bytes = Data(base64Encoded: String(text[text.index(after: mark)...]))
            else { return nil }
            return DownloadDigest(algorithm, bytes: Array(bytes))
        }
    }
}
