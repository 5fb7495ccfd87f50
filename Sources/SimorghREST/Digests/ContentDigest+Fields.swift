// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
import RawStructuredFieldValues
import SimorghSupport

extension ContentDigest {
    /// Returns the digests in a field; those of unknown and of insecure algorithms are left out.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - headers: The header fields or the trailer fields of a message.
    /// - Returns: The digests; empty if there is no such field.
    /// - Throws: ``ContentDigestError`` if the field is malformed: not a dictionary of structured fields (RFC 9651), longer
    ///   than 4,096 bytes, or a known algorithm whose value is no byte sequence of its length.
    public static func digests(_ field: Field, in headers: HTTPFields) throws -> [ContentDigest] {
        try parsed(field, in: headers)
    }

    /// Does the same as ``digests(_:in:)``, with a typed error.
    static func parsed(_ field: Field, in headers: HTTPFields) throws(ContentDigestError) -> [ContentDigest] {
        guard let name = HTTPField.Name(field.rawValue) else { return [] }
        let lines = headers[values: name]
        guard !lines.isEmpty else { return [] }
        // The parser compares each key with all earlier ones.
        guard lines.reduce(0, { $0 + $1.utf8.count }) <= 4096 else {
            throw ContentDigestError(.malformedField, field: field)
        }
        var parser = StructuredFieldValueParser(Array(lines.joined(separator: ", ").utf8))
        let members: OrderedMap<String, ItemOrInnerList>
        do {
            members = try parser.parseDictionaryFieldValue()
        } catch {
            throw ContentDigestError(.malformedField, field: field)
        }
        var digests: [ContentDigest] = []
        for (key, value) in members {
            guard let algorithm = Algorithm(rawValue: key) else { continue }
            guard case .item(let item) = value, case .undecodedByteSequence(let text) = item.rfc9651BareItem,
                let bytes = Data(base64Encoded: text), let digest = ContentDigest(algorithm, bytes: Array(bytes))
            else { throw ContentDigestError(.malformedField, field: field) }
            digests.append(digest)
        }
        return digests
    }

    /// The value of `Want-Content-Digest` and `Want-Repr-Digest`: both algorithms, the faster one preferred.
    static let wanted = "sha-256=10, sha-512=3"
}
