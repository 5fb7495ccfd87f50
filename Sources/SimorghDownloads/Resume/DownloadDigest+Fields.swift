// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghSupport

extension DownloadDigest {
    /// Returns the digests of the whole file in a response: `Repr-Digest` (RFC 9530), which is the same in a partial
    /// response.
    ///
    /// - Parameters:
    ///   - fields: The header fields.
    ///   - legacy: True to read the obsolete `Digest` of RFC 3230 as well.
    /// - Returns: The digests.
    package static func ofWhole(_ fields: HTTPFields, legacy: Bool) -> [DownloadDigest] {
        let digests = value("Repr-Digest", in: fields).map(parse) ?? []
        guard legacy, let old = value("Digest", in: fields) else { return digests }
        return digests + parseLegacy(old).filter { new in !digests.contains { $0.algorithm == new.algorithm } }
    }

    /// Returns the digests of a response's own content, which is the whole file only if the response is not partial.
    ///
    /// - Parameters:
    ///   - fields: The header fields.
    ///   - legacy: True to read `Content-MD5` as well.
    /// - Returns: The digests.
    package static func ofContent(_ fields: HTTPFields, legacy: Bool) -> [DownloadDigest] {
        var digests = value("Content-Digest", in: fields).map(parse) ?? []
        if legacy, let text = value("Content-MD5", in: fields), let bytes = Data(base64Encoded: text),
            let digest = DownloadDigest(.md5, bytes: Array(bytes))
        {
            digests.append(digest)
        }
        return digests
    }

    private static func value(_ name: String, in fields: HTTPFields) -> String? {
        HTTPField.Name(name).flatMap { fields[$0] }
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
