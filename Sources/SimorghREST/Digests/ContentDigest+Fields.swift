// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
import SimorghSupport

extension ContentDigest {
    /// Returns the digests in a field; those of unknown and of insecure algorithms are left out.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - headers: The header fields or the trailer fields of a message.
    /// - Returns: The digests; empty if there is no such field.
    /// - Throws: ``ContentDigestError`` if the field is malformed: longer than 8 KiB, not a dictionary of structured fields
    ///   (RFC 9651), or a known algorithm whose value is no byte sequence of its length.
    public static func digests(_ field: Field, in headers: HTTPFields) throws -> [ContentDigest] {
        try parsed(field, in: headers)
    }

    /// Does the same as ``digests(_:in:)``, with a typed error.
    static func parsed(_ field: Field, in headers: HTTPFields) throws(ContentDigestError) -> [ContentDigest] {
        guard let name = HTTPField.Name(field.rawValue) else { return [] }
        let values = headers[values: name]
        guard !values.isEmpty else { return [] }
        guard let members = StructuredField.byteSequences(values) else {
            throw ContentDigestError(.malformedField, field: field)
        }
        var digests: [ContentDigest] = []
        for (key, bytes) in members {
            guard let algorithm = Algorithm(rawValue: key) else { continue }
            guard let bytes, let digest = ContentDigest(algorithm, bytes: bytes) else {
                throw ContentDigestError(.malformedField, field: field)
            }
            digests.append(digest)
        }
        return digests
    }

    /// The value of `Want-Content-Digest` and `Want-Repr-Digest`: both algorithms, the faster one preferred.
    static let wanted = "sha-256=10, sha-512=3"
}
