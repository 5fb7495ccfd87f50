// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import RawStructuredFieldValues
import SimorghCore
import SimorghSupport

/// The header fields and media types of a protocol for resumable uploads.
package struct ResumableUploadProtocol: Sendable {
    let style: ResumableUpload.Style

    package init(style: ResumableUpload.Style) { self.style = style }

    /// A request's header fields and the type of its body.
    typealias Message = (headers: [String: String], contentType: String?)

    /// The header field of every request.
    private var version: [String: String] {
        switch style {
        case .tus: ["Tus-Resumable": "1.0.0"]
        case .draft: ["Upload-Draft-Interop-Version": "8"]
        }
    }

    /// The header fields of a request without a body.
    var plain: [String: String] { version }

    /// Returns the request that creates the upload resource, with the first bytes if `count` is not `nil`.
    func creation(of upload: ResumableUpload, length: Int64, count: Int64?, type: String, fileName: String) -> Message {
        var headers = version
        headers["Upload-Length"] = "\(length)"
        switch style {
        case .tus:
            headers["Upload-Metadata"] = metadata(upload, type: type, fileName: fileName)
            return (headers, count == nil ? nil : Self.chunkOfTus)
        case .draft:
            headers["Upload-Complete"] = Self.boolean(count == length)
            return (headers, type)
        }
    }

    /// Returns the request that sends bytes to the upload resource.
    func chunk(at offset: Int64, isLast: Bool) -> Message {
        var headers = version
        headers["Upload-Offset"] = "\(offset)"
        switch style {
        case .tus: return (headers, Self.chunkOfTus)
        case .draft:
            headers["Upload-Complete"] = Self.boolean(isLast)
            return (headers, "application/partial-upload")
        }
    }

    /// Returns the completion state from a response; `nil` if the response does not contain it, or it is malformed.
    package func isComplete(_ fields: HTTPFields) -> Bool? {
        guard style == .draft else { return nil }
        return StructuredField.item(fields[values: .known("Upload-Complete")])?.rfc9651BareItem.boolean
    }

    /// Returns true if a response shows that the server supports the protocol.
    func isSupported(in fields: HTTPFields) -> Bool {
        isComplete(fields) == false || fields.contains(.known("Upload-Offset"))
    }

    /// Returns the integer value of a field in a response; `nil` if it is missing or not a number.
    ///
    /// Only the draft's fields are structured fields, whose numbers have at most 15 digits and may have parameters.
    package func number(_ name: String, in fields: HTTPFields) -> Int64? {
        switch style {
        case .tus: fields[.known(name)].flatMap { Int64($0) }
        case .draft: StructuredField.item(fields[values: .known(name)])?.rfc9651BareItem.integer
        }
    }

    /// Returns a limit from the `Upload-Limit` field of a response; `nil` if it is missing or malformed.
    package func limit(_ name: String, in fields: HTTPFields) -> Int64? {
        guard style == .draft,
            let limit = StructuredField.dictionary(fields[values: .known("Upload-Limit")])?[name]?.item?
                .rfc9651BareItem.integer, limit >= 0
        else { return nil }
        return limit
    }

    private static let chunkOfTus = "application/offset+octet-stream"

    private static func boolean(_ value: Bool) -> String { value ? "?1" : "?0" }

    /// Returns the URL of the first `Location`, as the server wrote it.
    ///
    /// `nil` if it contains U+FFFD, because the HTTP/2 decoder replaced other bytes by that.
    package static func location(_ fields: HTTPFields) -> String? {
        guard let location = fields[fields: .location].first?.urlText, !location.unicodeScalars.contains("\u{FFFD}")
        else { return nil }
        return location
    }

    /// Returns the `Upload-Metadata` field: names, and values in base64.
    ///
    /// Names with invalid characters are skipped.
    private func metadata(_ upload: ResumableUpload, type: String, fileName: String) -> String {
        var metadata = upload.metadata
        if metadata["filename"] == nil { metadata["filename"] = fileName }
        if metadata["filetype"] == nil { metadata["filetype"] = type }
        let pairs = metadata.sorted { $0.key < $1.key }.compactMap { name, value -> String? in
            guard !name.isEmpty, name.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ",") }) else {
                return nil
            }
            return value.isEmpty ? name : "\(name) \(Base64.text(value))"
        }
        return pairs.joined(separator: ",")
    }
}
