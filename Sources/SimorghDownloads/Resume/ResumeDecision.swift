// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghCore
package import SimorghSupport

/// The decision on a response: what it means for the bytes in the partial file.
package enum ResumeDecision: Sendable, Equatable {
    /// The body continues the known version.
    case append(ReceivedRange)
    /// The body is the whole file: the bytes in the partial file no longer count.
    case restart(RemoteFileVersion)
    /// No byte is missing.
    case complete
    /// The server refused a range without a reason: the head of the whole file has to be requested.
    case requestHead
    /// The response does not match the partial file, which may be of another version: the whole file has to be
    /// requested.
    case again(String)
    /// The server is busy: the same request may be sent later, but not before the delay that it asked for.
    case wait(status: Int, after: Duration?)
    /// There is no file to fetch; the partial file is kept.
    case fail(DownloadError)

    /// The request that was sent.
    package struct RangeRequest: Sendable, Equatable {
        /// The requested range; `nil` for the whole file.
        package var part: RequestedRange?
        /// The version of the partial file; `nil` without a partial file.
        package var entity: RemoteFileVersion?
        /// The end of the bytes from the start of the file without a gap.
        package var prefix: Int64

        package init(part: RequestedRange? = nil, entity: RemoteFileVersion? = nil, prefix: Int64 = 0) {
            self.part = part
            self.entity = entity
            self.prefix = prefix
        }
    }

    /// A requested range of a file.
    package struct RequestedRange: Sendable, Hashable {
        /// The first byte.
        package var start: Int64
        /// The byte after the last one; `nil` for the end of the file.
        package var end: Int64?

        package init(start: Int64, end: Int64? = nil) {
            self.start = start
            self.end = end
        }
    }

    /// A received range of a file.
    package struct ReceivedRange: Sendable, Equatable {
        /// The range of the body in the file.
        package var range: Range<Int64>
        /// The length of the whole file; `nil` if the server does not know it.
        package var total: Int64?
        /// The digests of the range.
        package var digests: [DownloadDigest]

        package init(_ range: Range<Int64>, total: Int64? = nil, digests: [DownloadDigest] = []) {
            self.range = range
            self.total = total
            self.digests = digests
        }
    }

    /// Evaluates a response.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - status: The status code.
    ///   - fields: The header fields.
    ///   - url: The URL that responded.
    ///   - now: The current date, for a `Retry-After` with a date.
    ///   - legacyDigests: True to read `Digest` and `Content-MD5` as well.
    package init(
        _ request: RangeRequest, status: Int, fields: HTTPFields, url: String, now: Date, legacyDigests: Bool = false
    ) {
        switch status {
        case 200, 203:
            var entity = RemoteFileVersion(
                url: url, fields: fields, total: Self.length(fields), legacyDigests: legacyDigests)
            // The content of this response is the whole file.
            entity.add(DownloadDigest.ofContent(fields, legacy: legacyDigests))
            self = .restart(entity)
        case 204, 205: self = .fail(.emptyResponse(status))
        case 206: self = Self.judgePart(request, fields: fields, url: url, legacyDigests: legacyDigests)
        case 412: self = request.part == nil ? .fail(.httpStatus(status)) : .again("the file has changed")
        case 416: self = Self.judgeUnsatisfiable(request, fields: fields, url: url)
        case 501, 505, 506, 508, 510, 511: self = .fail(.httpStatus(status))
        case 408, 421, 425, 429, 500...599:
            self = .wait(status: status, after: fields[.retryAfter].flatMap { RetryAfter.delay($0, now: now) })
        default: self = .fail(.httpStatus(status))
        }
    }

    private static func judgePart(
        _ request: RangeRequest, fields: HTTPFields, url: String, legacyDigests: Bool
    ) -> ResumeDecision {
        if fields[.contentType]?.lowercased().hasPrefix("multipart/byteranges") == true {
            return misfit(request, reason: "the server sent several ranges in response to a request for one")
        }
        guard fields[values: .contentRange].count == 1, let content = fields[.contentRange].flatMap(ContentRange.init),
            let range = content.range
        else { return misfit(request, reason: "the server sent 206 without a valid Content-Range") }
        let whole = whole(
            request, content: content, range: range, fields: fields, url: url, legacyDigests: legacyDigests)
        if let whole { return .restart(whole) }
        guard let part = request.part else {
            return misfit(
                request, reason: "asked for the whole file, the server gave \(shown(range, of: content.total))")
        }
        guard range.lowerBound == part.start, range.upperBound <= part.end ?? .max else {
            let requested = ContentRange.request(from: part.start, to: part.end)
            return .again("asked for \(requested), the server gave \(shown(range, of: content.total))")
        }
        // A chunked body has no Content-Length; one that differs from the range contradicts itself.
        if let length = length(fields), length != Int64(range.count) {
            return .again("the Content-Length is \(length), but the range has \(range.count) bytes")
        }
        let entity = RemoteFileVersion(url: url, fields: fields, total: content.total, legacyDigests: legacyDigests)
        if let reason = request.entity?.contradiction(to: entity) { return .again(reason) }
        // A partial response may omit its date, but then a server that ignores If-Range would go unnoticed.
        if case .date = request.entity?.validator, entity.modified == nil {
            return .again("its Last-Modified is missing now")
        }
        let digests = DownloadDigest.ofContent(fields, legacy: legacyDigests)
        return .append(ReceivedRange(range, total: content.total, digests: digests))
    }

    /// Returns the file if an unexpected partial response holds all of it: some servers answer every request with 206.
    ///
    /// - Returns: The file; `nil` if the range was requested, is not the whole file, or contradicts its own length.
    private static func whole(
        _ request: RangeRequest, content: ContentRange, range: Range<Int64>, fields: HTTPFields, url: String,
        legacyDigests: Bool
    ) -> RemoteFileVersion? {
        if let part = request.part, part.start == 0, range.upperBound <= part.end ?? .max { return nil }
        guard let total = content.total, range == 0..<total, length(fields) ?? total == total else { return nil }
        var entity = RemoteFileVersion(url: url, fields: fields, total: total, legacyDigests: legacyDigests)
        entity.add(DownloadDigest.ofContent(fields, legacy: legacyDigests))
        return entity
    }

    /// Returns the decision on a 206 that does not match the request: without a requested range it is a failure.
    private static func misfit(_ request: RangeRequest, reason: String) -> ResumeDecision {
        request.part == nil ? .fail(.transport(.badServerResponse, reason)) : .again(reason)
    }

    private static func shown(_ range: Range<Int64>, of total: Int64?) -> String {
        "bytes \(range.lowerBound) to \(range.upperBound - 1)\(total.map { " of \($0)" } ?? "")"
    }

    private static func judgeUnsatisfiable(
        _ request: RangeRequest, fields: HTTPFields, url: String
    ) -> ResumeDecision {
        guard request.part != nil, let known = request.entity else { return .fail(.httpStatus(416)) }
        guard let content = fields[.contentRange].flatMap(ContentRange.init), content.range == nil,
            let total = content.total
        else { return .requestHead }
        var now = RemoteFileVersion(url: url, fields: fields, total: total)
        // The fields are those of an error page, with its own type and coding, and perhaps without the file's ETag.
        now.coding = known.coding
        if now.tag == nil { now.tag = known.tag }
        if now.modified == nil || known.tag != nil { now.modified = known.modified }
        if let reason = known.contradiction(to: now) { return .again(reason) }
        guard total == request.prefix else {
            return .again("the file has \(total) bytes, but \(request.prefix) are downloaded")
        }
        return .complete
    }

    /// Evaluates the head of the whole file, which was requested after ``requestHead``.
    ///
    /// - Parameters:
    ///   - request: The earlier request.
    ///   - status: The status of the response to HEAD.
    ///   - fields: Its header fields.
    ///   - url: The URL that responded.
    /// - Returns: ``complete`` or ``again(_:)``.
    package static func afterHead(
        _ request: RangeRequest, status: Int, fields: HTTPFields, url: String
    ) -> ResumeDecision {
        guard status == 200, let known = request.entity, let length = length(fields) else {
            return .again("the server refused to send the remaining bytes")
        }
        if let reason = known.contradiction(to: RemoteFileVersion(url: url, fields: fields, total: length)) {
            return .again(reason)
        }
        // Without a validator, an equal length proves nothing.
        guard length == request.prefix, known.validator != nil else {
            return .again("the server refused to send the remaining bytes")
        }
        return .complete
    }

    /// Returns the Content-Length; `nil` if it is missing or not a number.
    private static func length(_ fields: HTTPFields) -> Int64? {
        fields[.contentLength].flatMap { ContentRange.number($0[...].utf8) }
    }
}
