// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghSupport

extension DownloadDigest {
    /// What a response says that the hash of the whole file is: `Repr-Digest` (RFC 9530), which holds in a part, too.
    ///
    /// - Parameters:
    ///   - fields: Its header fields.
    ///   - legacy: Whether the `Digest` of RFC 3230, which that replaced, is read as well.
    /// - Returns: The hashes.
    package static func ofWhole(_ fields: HTTPFields, legacy: Bool) -> [DownloadDigest] {
        let digests = value("Repr-Digest", fields).map(parse) ?? []
        guard legacy, let old = value("Digest", fields) else { return digests }
        return digests + parseLegacy(old).filter { new in !digests.contains { $0.algorithm == new.algorithm } }
    }

    /// What a response says that the hash of its own content is, which is the file only where it is all of it.
    ///
    /// - Parameters:
    ///   - fields: Its header fields.
    ///   - legacy: Whether `Content-MD5` is read as well.
    /// - Returns: The hashes.
    package static func ofContent(_ fields: HTTPFields, legacy: Bool) -> [DownloadDigest] {
        var digests = value("Content-Digest", fields).map(parse) ?? []
        if legacy, let text = value("Content-MD5", fields), let bytes = Data(base64Encoded: text),
            let digest = DownloadDigest(.md5, bytes: Array(bytes))
        {
            digests.append(digest)
        }
        return digests
    }

    private static func value(_ name: String, _ fields: HTTPFields) -> String? {
        HTTPField.Name(name).flatMap { fields[$0] }
    }

    /// `SHA-256=…` in base64, as RFC 3230 has it.
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
