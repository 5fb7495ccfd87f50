// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghCore
import SimorghSupport

/// Which version of which file a download is of: what was told of it by the response that it began with.
///
/// It is written down before the first byte counts, so that bytes of two versions never meet in one file.
package struct DownloadEntity: Sendable, Hashable, Codable {
    /// What can be asked for in `If-Range`: something that no two versions share (RFC 9110, section 13.1.5).
    package enum Validator: Sendable, Hashable {
        case tag(String)
        case date(String)

        /// The value of the field `If-Range`.
        package var text: String {
            switch self {
            case .tag(let text), .date(let text): text
            }
        }
    }

    /// The URL that answered, without credentials.
    package var url: String
    /// The `ETag` as it came, a weak one with its `W/`.
    package var tag: String?
    /// The `Last-Modified` as it came.
    package var modified: String?
    /// The `Date` of the response, which tells whether ``modified`` can be trusted.
    package var date: String?
    /// The length in bytes; `nil` where nobody knows it before the end.
    package var total: Int64?
    /// The `Content-Encoding`, in lower case; `nil` for none.
    package var coding: String?
    /// The `Content-Type`.
    package var type: String?
    /// What the server says that the hash of the whole is.
    package var digests: [DownloadDigest]
    /// Whether the server says that it gives parts.
    package var acceptsRanges: Bool

    /// Reads the head of a response.
    ///
    /// - Parameters:
    ///   - url: The URL that answered.
    ///   - fields: The header fields.
    ///   - total: The length of the whole, which only the status tells how to read.
    ///   - legacyDigests: Whether the obsolete field `Digest` is read, too.
    package init(url: String, fields: HTTPFields, total: Int64?, legacyDigests: Bool = false) {
        self.url = ShownURL.withoutCredentials(url)
        self.total = total
        // They are asked with later, and a request may have no control character in a field.
        let isSendable: (String) -> Bool = { $0.utf8.allSatisfy(HeaderRules.isValueByte) }
        tag = fields[.eTag].flatMap { isSendable($0) ? $0 : nil }
        modified = fields[.lastModified].flatMap { isSendable($0) ? $0 : nil }
        date = fields[.date]
        type = fields[.contentType]
        coding = Self.coding(fields).flatMap { Self.isOfFile($0, url, fields) ? nil : $0 }
        acceptsRanges = fields[.acceptRanges]?.lowercased().contains("bytes") ?? false
        digests = DownloadDigest.ofWhole(fields, legacy: legacyDigests)
    }

    /// Takes hashes of the whole from another field; of each algorithm the first counts.
    package mutating func add(_ more: [DownloadDigest]) {
        for digest in more where !digests.contains(where: { $0.algorithm == digest.algorithm }) {
            digests.append(digest)
        }
    }

    /// The codings of a body, as a list; `nil` if its bytes are as they are.
    package static func coding(_ fields: HTTPFields) -> String? {
        guard let list = fields[.contentEncoding] else { return nil }
        let codings = ContentCodings.codings(in: list)
        return codings.isEmpty ? nil : codings.joined(separator: ", ")
    }

    /// Whether a coding is that of the file itself: many servers write `gzip` beside `archive.tar.gz`, which nobody wants to
    /// have unpacked under that name, and asked for nothing encoded.
    private static func isOfFile(_ coding: String, _ url: String, _ fields: HTTPFields) -> Bool {
        guard coding == "gzip" || coding == "x-gzip" else { return false }
        let type = fields[.contentType]?.lowercased().prefix { $0 != ";" && $0 != " " }
        if let type, ["application/gzip", "application/x-gzip", "application/x-tgz"].contains(type) { return true }
        let name =
            fields[.contentDisposition].flatMap(ContentDisposition.fileName) ?? DownloadFileName.lastSegment(of: url)
        return [".gz", ".tgz", ".svgz"].contains { name?.lowercased().hasSuffix($0) == true }
    }

    /// Whether two ETags are the same and neither is weak (RFC 9110, section 8.8.3.2).
    package static func isStrong(_ tag: String) -> Bool {
        let bytes = tag.utf8
        return bytes.count >= 2 && bytes.first == 0x22 && bytes.last == 0x22
            && bytes.dropFirst().dropLast().allSatisfy { $0 == 0x21 || $0 >= 0x23 && $0 != 0x7F }
    }

    /// What a part can be asked for with; `nil` where nothing tells two versions apart for sure.
    ///
    /// A date may stand in only where there is no ETag at all, and where it is a second before the response was made: within
    /// one second a file may change twice.
    package var validator: Validator? {
        if coding != nil { return nil }
        if let tag { return Self.isStrong(tag) ? .tag(tag) : nil }
        guard let modified, let date else { return nil }
        // Both years have four digits in practice; where not, the same present tells them.
        let now = Date(timeIntervalSince1970: 1_750_000_000)
        guard let changed = HTTPDate.parse(modified, now: now), let made = HTTPDate.parse(date, now: now),
            made.timeIntervalSince(changed) >= 1
        else { return nil }
        return .date(modified)
    }

    /// Why a later response cannot be of the same version; `nil` where nothing speaks against it.
    ///
    /// What a response may leave out (RFC 9110, section 15.3.7) is not held against it, but for a strong ETag, which it must
    /// repeat: a server that ignores `If-Range` gives itself away by that.
    ///
    /// - Parameter other: What the later response says.
    /// - Returns: The reason, in a few words.
    package func contradiction(to other: DownloadEntity) -> String? {
        if let total, let new = other.total, total != new { return "its length was \(total) and is \(new)" }
        if other.coding != coding {
            return "its Content-Encoding was \(coding ?? "none") and is \(other.coding ?? "none")"
        }
        if let tag {
            if let new = other.tag {
                if tag != new { return "its ETag was \(tag) and is \(new)" }
            } else if Self.isStrong(tag) {
                return "its ETag was \(tag) and is not told any more"
            }
        } else if let new = other.tag, case .date = validator {
            return "it had no ETag and has \(new)"
        }
        // Servers with one strong ETag and several dates have one file, and several disks.
        if tag.map(Self.isStrong) != true, let modified, let new = other.modified, modified != new {
            return "its Last-Modified was \(modified) and is \(new)"
        }
        for digest in digests {
            if let new = other.digests.first(where: { $0.algorithm == digest.algorithm }), new != digest {
                return "its \(digest.algorithm.rawValue) digest is another"
            }
        }
        return nil
    }
}
