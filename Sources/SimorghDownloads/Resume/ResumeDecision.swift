// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghCore
package import SimorghSupport

/// What the answer to a request for a file, or a part of it, means for the bytes that are on the disk.
package enum ResumeDecision: Sendable, Equatable {
    /// Bytes of the known version follow.
    case append(Piece)
    /// The whole follows: nothing of what is there counts any more.
    case restart(DownloadEntity)
    /// Nothing is missing.
    case complete
    /// The server would give no part and does not say why: the head of the whole has to be asked for.
    case ask
    /// The answer does not fit: what is there may be of another version, so the whole has to be asked for.
    case again(String)
    /// The server is busy: the same request later, and not before the time that it named.
    case wait(status: Int, after: Duration?)
    /// There is no file to be had; what is there stays.
    case fail(DownloadError)

    /// What was asked for.
    package struct Question: Sendable, Equatable {
        /// The part; `nil` for the whole.
        package var part: Part?
        /// The version that bytes are there of; `nil` for none.
        package var entity: DownloadEntity?
        /// Up to where bytes are there without a gap.
        package var have: Int64

        package init(part: Part? = nil, entity: DownloadEntity? = nil, have: Int64 = 0) {
            self.part = part
            self.entity = entity
            self.have = have
        }
    }

    /// A part of a file.
    package struct Part: Sendable, Hashable {
        /// The first byte.
        package var start: Int64
        /// The byte after the last one; `nil` for the end of the file.
        package var end: Int64?

        package init(start: Int64, end: Int64? = nil) {
            self.start = start
            self.end = end
        }
    }

    /// A part that came.
    package struct Piece: Sendable, Equatable {
        /// Where it belongs.
        package var range: Range<Int64>
        /// The length of the whole; `nil` where the server does not know it.
        package var total: Int64?
        /// What the hash of the part is.
        package var digests: [DownloadDigest]

        package init(_ range: Range<Int64>, total: Int64? = nil, digests: [DownloadDigest] = []) {
            self.range = range
            self.total = total
            self.digests = digests
        }
    }

    /// Judges an answer.
    ///
    /// - Parameters:
    ///   - question: What was asked for.
    ///   - status: The status code.
    ///   - fields: The header fields.
    ///   - url: The URL that answered.
    ///   - now: The date, for a `Retry-After` that names one.
    ///   - legacyDigests: Whether `Digest` and `Content-MD5` are read, too.
    package init(
        _ question: Question, status: Int, fields: HTTPFields, url: String, now: Date, legacyDigests: Bool = false
    ) {
        switch status {
        case 200, 203:
            var entity = DownloadEntity(
                url: url, fields: fields, total: Self.length(fields), legacyDigests: legacyDigests)
            // The content of the whole is the whole.
            entity.add(DownloadDigest.ofContent(fields, legacy: legacyDigests))
            self = .restart(entity)
        case 204, 205: self = .fail(.emptyResponse(status))
        case 206: self = Self.judgePart(question, fields, url, legacyDigests)
        case 412: self = question.part == nil ? .fail(.httpStatus(status)) : .again("the file has changed")
        case 416: self = Self.judgeUnsatisfiable(question, fields, url)
        case 501, 505, 506, 508, 510, 511: self = .fail(.httpStatus(status))
        case 408, 421, 425, 429, 500...599:
            self = .wait(status: status, after: fields[.retryAfter].flatMap { RetryAfter.delay($0, now: now) })
        default: self = .fail(.httpStatus(status))
        }
    }

    private static func judgePart(
        _ question: Question, _ fields: HTTPFields, _ url: String, _ legacyDigests: Bool
    ) -> ResumeDecision {
        if fields[.contentType]?.lowercased().hasPrefix("multipart/byteranges") == true {
            return misfit(question, "the server gave several parts when asked for one")
        }
        guard fields[values: .contentRange].count == 1, let content = fields[.contentRange].flatMap(ContentRange.init),
            let range = content.range
        else { return misfit(question, "the server gave a part and did not say which") }
        if let entity = whole(question, content, range, fields, url, legacyDigests) { return .restart(entity) }
        guard let part = question.part else {
            return misfit(question, "asked for the whole file, the server gave \(shown(range, content.total))")
        }
        guard range.lowerBound == part.start, range.upperBound <= part.end ?? .max else {
            let asked = ContentRange.request(from: part.start, to: part.end)
            return .again("asked for \(asked), the server gave \(shown(range, content.total))")
        }
        // A chunked part has no length of its own, and one that has another contradicts itself.
        if let length = length(fields), length != Int64(range.count) {
            return .again("the part's length is \(length), and its range has \(range.count) bytes")
        }
        let entity = DownloadEntity(url: url, fields: fields, total: content.total, legacyDigests: legacyDigests)
        if let reason = question.entity?.contradiction(to: entity) { return .again(reason) }
        // A part may leave its date out; but then nothing tells a server that gives it whatever If-Range says.
        if case .date = question.entity?.validator, entity.modified == nil {
            return .again("its Last-Modified is not told any more")
        }
        return .append(
            Piece(range, total: content.total, digests: DownloadDigest.ofContent(fields, legacy: legacyDigests)))
    }

    /// The file, where a part that was not asked for is the whole of it: some servers answer every request with 206.
    ///
    /// - Returns: The file; `nil` if the part is the one that was asked for, is not the whole, or contradicts its own length.
    private static func whole(
        _ question: Question, _ content: ContentRange, _ range: Range<Int64>, _ fields: HTTPFields, _ url: String,
        _ legacyDigests: Bool
    ) -> DownloadEntity? {
        if let part = question.part, part.start == 0, range.upperBound <= part.end ?? .max { return nil }
        guard let total = content.total, range == 0..<total, length(fields) ?? total == total else { return nil }
        var entity = DownloadEntity(url: url, fields: fields, total: total, legacyDigests: legacyDigests)
        entity.add(DownloadDigest.ofContent(fields, legacy: legacyDigests))
        return entity
    }

    /// The decision on an answer with 206 that does not fit the request: without a part on the disk it is a failure.
    private static func misfit(_ question: Question, _ reason: String) -> ResumeDecision {
        question.part == nil ? .fail(.transport(.badServerResponse, reason)) : .again(reason)
    }

    private static func shown(_ range: Range<Int64>, _ total: Int64?) -> String {
        "bytes \(range.lowerBound) to \(range.upperBound - 1)\(total.map { " of \($0)" } ?? "")"
    }

    private static func judgeUnsatisfiable(
        _ question: Question, _ fields: HTTPFields, _ url: String
    ) -> ResumeDecision {
        guard question.part != nil, let known = question.entity else { return .fail(.httpStatus(416)) }
        guard let content = fields[.contentRange].flatMap(ContentRange.init), content.range == nil,
            let total = content.total
        else { return .ask }
        var now = DownloadEntity(url: url, fields: fields, total: total)
        // The fields are those of an error page, which has a type, a coding and perhaps no ETag of the file's.
        now.coding = known.coding
        if now.tag == nil { now.tag = known.tag }
        if now.modified == nil || known.tag != nil { now.modified = known.modified }
        if let reason = known.contradiction(to: now) { return .again(reason) }
        guard total == question.have else { return .again("the file has \(total) bytes, \(question.have) are there") }
        return .complete
    }

    /// Judges the head of the whole, which was asked for after ``ask``.
    ///
    /// - Parameters:
    ///   - question: What was asked for before.
    ///   - status: The status of the answer to HEAD.
    ///   - fields: Its header fields.
    ///   - url: The URL that answered.
    /// - Returns: ``complete`` or ``again(_:)``.
    package static func afterHead(
        _ question: Question, status: Int, fields: HTTPFields, url: String
    ) -> ResumeDecision {
        guard status == 200, let known = question.entity, let length = length(fields) else {
            return .again("the server would not give the rest")
        }
        if let reason = known.contradiction(to: DownloadEntity(url: url, fields: fields, total: length)) {
            return .again(reason)
        }
        // Without a validator the same length proves nothing.
        guard length == question.have, known.validator != nil else {
            return .again("the server would not give the rest")
        }
        return .complete
    }

    /// The length that a message says it has; `nil` for none, and for one that is not a number.
    private static func length(_ fields: HTTPFields) -> Int64? {
        fields[.contentLength].flatMap { ContentRange.number($0[...].utf8) }
    }
}
