// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghCore
import SimorghSupport

/// The version of the remote file that a download fetches, as described by the first response.
///
/// It is recorded in the journal before the first byte counts, so that bytes of two versions are never mixed in one
/// file.
package struct RemoteFileVersion: Sendable, Hashable, Codable {
    /// A validator for `If-Range`, which two versions never share (RFC 9110, section 13.1.5).
    package enum Validator: Sendable, Hashable {
        case tag(String)
        case date(String)

        /// The value of the header field `If-Range`.
        package var text: String {
            switch self {
            case .tag(let text), .date(let text): text
            }
        }
    }

    /// The URL that responded, without credentials.
    package var url: String
    /// The `ETag` as received, with the `W/` of a weak one.
    package var tag: String?
    /// The `Last-Modified` as received.
    package var modified: String?
    /// The `Date` of the response, which shows if ``modified`` can be trusted.
    package var date: String?
    /// The length in bytes; `nil` if it is unknown before the end.
    package var total: Int64?
    /// The `Content-Encoding`, in lowercase; `nil` if the content is not encoded.
    package var coding: String?
    /// The `Content-Type`.
    package var type: String?
    /// The digests of the whole file from the server.
    package var digests: [DownloadDigest]
    /// True if the server claims to support range requests.
    package var acceptsRanges: Bool

    /// Creates a version from the head of a response.
    ///
    /// - Parameters:
    ///   - url: The URL that responded.
    ///   - fields: The header fields.
    ///   - total: The length of the whole file; which field holds it depends on the status.
    ///   - legacyDigests: True to read the obsolete field `Digest` as well.
    package init(url: String, fields: HTTPFields, total: Int64?, legacyDigests: Bool = false) {
        self.url = RedactedURL.withoutCredentials(url)
        self.total = total
        // Validators are sent back later, and a field of a request must not contain control characters.
        let isSendable: (String) -> Bool = { $0.utf8.allSatisfy(HeaderRules.isValueByte) }
        tag = fields[.eTag].flatMap { isSendable($0) ? $0 : nil }
        modified = fields[.lastModified].flatMap { isSendable($0) ? $0 : nil }
        date = fields[.date]
        type = fields[.contentType]
        coding = Self.coding(fields).flatMap { Self.isOfFile($0, url: url, fields: fields) ? nil : $0 }
        acceptsRanges = fields[.acceptRanges]?.lowercased().contains("bytes") ?? false
        digests = DownloadDigest.ofWhole(fields, legacy: legacyDigests)
    }

    /// Adds digests of the whole file from another field; the first digest of each algorithm is kept.
    package mutating func add(_ more: [DownloadDigest]) {
        for digest in more where !digests.contains(where: { $0.algorithm == digest.algorithm }) {
            digests.append(digest)
        }
    }

    /// Returns the content codings of a body, as a list; `nil` if it is not encoded.
    package static func coding(_ fields: HTTPFields) -> String? {
        guard let list = fields[.contentEncoding] else { return nil }
        let codings = ContentCodings.codings(in: list)
        return codings.isEmpty ? nil : codings.joined(separator: ", ")
    }

    /// Returns true if the coding is part of the file itself.
    ///
    /// Many servers send `Content-Encoding: gzip` with `archive.tar.gz`, although the request accepts no encoding.
    /// That file must not be decompressed under its name.
    private static func isOfFile(_ coding: String, url: String, fields: HTTPFields) -> Bool {
        guard coding == "gzip" || coding == "x-gzip" else { return false }
        let type = fields[.contentType]?.lowercased().prefix { $0 != ";" && $0 != " " }
        if let type, ["application/gzip", "application/x-gzip", "application/x-tgz"].contains(type) { return true }
        let name =
            fields[.contentDisposition].flatMap(ContentDisposition.fileName) ?? DownloadFileName.lastSegment(of: url)
        return [".gz", ".tgz", ".svgz"].contains { name?.lowercased().hasSuffix($0) == true }
    }

    /// Returns true if an ETag is well-formed and strong (RFC 9110, section 8.8.3).
    package static func isStrong(_ tag: String) -> Bool {
        let bytes = tag.utf8
        return bytes.count >= 2 && bytes.first == 0x22 && bytes.last == 0x22
            && bytes.dropFirst().dropLast().allSatisfy { $0 == 0x21 || $0 >= 0x23 && $0 != 0x7F }
    }

    /// The validator for range requests; `nil` if no field tells two versions apart reliably.
    ///
    /// A date is used only without an ETag, and only if it is at least a second before the response was made: a file
    /// may change twice within one second.
    package var validator: Validator? {
        if coding != nil { return nil }
        if let tag { return Self.isStrong(tag) ? .tag(tag) : nil }
        guard let modified, let date else { return nil }
        // The reference date only expands two-digit years (RFC 9110, section 5.6.7); with a fixed one, both dates are
        // expanded alike.
        let now = Date(timeIntervalSince1970: 1_750_000_000)
        guard let modifiedDate = HTTPDate.parse(modified, now: now), let responseDate = HTTPDate.parse(date, now: now),
            responseDate.timeIntervalSince(modifiedDate) >= 1
        else { return nil }
        return .date(modified)
    }

    /// Returns the reason a later response must be of another version; `nil` if it may be of the same one.
    ///
    /// A response may omit fields (RFC 9110, section 15.3.7), so a missing field is not a contradiction. The exception
    /// is a strong ETag, which the response must repeat: its absence reveals a server that ignores `If-Range`.
    ///
    /// - Parameter other: The version in the later response.
    /// - Returns: The reason, in a few words.
    package func contradiction(to other: RemoteFileVersion) -> String? {
        if let total, let new = other.total, total != new { return "its length was \(total) and is \(new)" }
        if other.coding != coding {
            return "its Content-Encoding was \(coding ?? "none") and is \(other.coding ?? "none")"
        }
        if let tag {
            if let new = other.tag {
                if tag != new { return "its ETag was \(tag) and is \(new)" }
            } else if Self.isStrong(tag) {
                return "its ETag was \(tag) and is missing now"
            }
        } else if let new = other.tag, case .date = validator {
            return "it had no ETag and has \(new)"
        }
        // With an equal strong ETag the dates may differ: several replicas of a server may hold the same file.
        if tag.map(Self.isStrong) != true, let modified, let new = other.modified, modified != new {
            return "its Last-Modified was \(modified) and is \(new)"
        }
        for digest in digests {
            if let new = other.digests.first(where: { $0.algorithm == digest.algorithm }), new != digest {
                return "its \(digest.algorithm.rawValue) digest is different"
            }
        }
        return nil
    }
}
