// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport

extension DownloadAttempt {
    /// A response whose body is read.
    struct Stream: Sendable {
        let chunks: ResponseBody
        /// The range of its bytes; up to `.max` if the end is unknown.
        let range: Range<Int64>
        /// The digests of exactly these bytes.
        let digests: [DownloadDigest]
        /// True if it is a range of the file, so that its end need not be the end of the file.
        let isPart: Bool
        /// Its first bytes that are in the partial file already, for a comparison.
        let overlap: [UInt8]
        let entity: RemoteFileVersion
        /// True if other connections may fetch other segments.
        let isShareable: Bool
        /// The response; its trailers arrive with the end of the body.
        let response: StreamingResponse

        init(
            _ response: StreamingResponse, range: Range<Int64>, entity: RemoteFileVersion, isPart: Bool,
            isShareable: Bool, digests: [DownloadDigest] = [], overlap: [UInt8] = []
        ) {
            chunks = response.chunks
            self.response = response
            self.range = range
            self.entity = entity
            self.isPart = isPart
            self.isShareable = isShareable
            self.digests = digests
            self.overlap = overlap
        }
    }

    /// The result of the first request.
    enum Opening: Sendable {
        case stream(Stream)
        /// No byte is missing.
        case complete
        /// The body has a content coding: it must be requested as `RequestMode.decoded`.
        case decoded
        /// The file existed before.
        case existing(Finished)
    }

    /// The number of bytes to compare if only the length shows that the file is the same.
    private static let overlap: Int64 = 1024

    /// Sends the first request for the missing bytes.
    ///
    /// - Parameters:
    ///   - known: The journal; `nil` to start over.
    ///   - mode: The kind of request.
    ///   - writer: The writer of the partial file.
    /// - Returns: The result.
    /// - Throws: ``DownloadAttemptError``, or the error of the request.
    func open(
        _ known: DownloadJournal?, mode: RequestMode, writer: DownloadFileWriter
    ) async throws -> Opening {
        var rangeRequest = ResumeDecision.RangeRequest()
        var overlap: [UInt8] = []
        if mode == .plain, let known, let entity = known.entity, known.ranges.count > 0 {
            let prefix = known.ranges.prefix
            // The response decides if other connections may fetch the rest; the possibility is enough to request only
            // a share.
            let mayShare = connections > 1 && (entity.total ?? 0) >= minimumSegment * 2
            let end = entity.total.flatMap { total in
                pieces(of: known.ranges.missing(of: total), isShareable: mayShare).first?.upperBound
            }
            if entity.validator != nil {
                rangeRequest = ResumeDecision.RangeRequest(
                    part: .init(start: prefix, end: end), entity: entity, prefix: prefix)
            } else if request.resumesWithoutValidator, entity.coding == nil, prefix > 0 {
                let start = max(0, prefix - Self.overlap)
                overlap = try await writer.bytes(start..<prefix)
                rangeRequest = ResumeDecision.RangeRequest(
                    part: .init(start: start, end: end), entity: entity, prefix: prefix)
            }
        }
        if rangeRequest.part != nil { try await writer.hashExistingBytes() }
        let (response, firstDecision) = try await send(rangeRequest, mode: mode)
        var decision = firstDecision
        if decision == .requestHead {
            let head = try await head()
            decision = ResumeDecision.afterHead(
                rangeRequest, status: head.statusCode, fields: head.headers, url: head.url)
        }
        switch decision {
        case .append(let piece):
            guard var entity = rangeRequest.entity else {
                throw DownloadAttemptError.changed("the server sent a range that was not requested")
            }
            if entity.total == nil, let total = piece.total {
                entity.total = total
                try await FileQueue.run { [journal] () throws(DownloadError) in try journal.append(.total(total)) }
            }
            // The file name was changed since the download started.
            if journal.journal.name == nil { try await note(nameBy: response, isNew: false) }
            if let total = entity.total, let error = await refusal(total, having: writer.ranges.count) {
                throw DownloadAttemptError.diskFull(error)
            }
            return .stream(
                Stream(
                    response, range: piece.range, entity: entity, isPart: true,
                    isShareable: isShareable(entity, response: response), digests: piece.digests, overlap: overlap))
        case .restart(var entity):
            // The same file, but the whole of it: this server does not support ranges.
            if rangeRequest.part != nil, rangeRequest.entity?.contradiction(to: entity) == nil {
                usesSingleConnection.set()
            }
            guard entity.coding == nil else {
                guard mode == .plain else {
                    throw DownloadAttemptError.failed(.encoding("the response has an unknown Content-Encoding"))
                }
                return .decoded
            }
            // Offsets in decoded content do not match byte ranges of the server.
            if mode == .decoded {
                entity.coding = "decoded"
                // The length and the digests are those of the encoded content.
                (entity.total, entity.digests) = (nil, [])
            }
            return try await begin(
                entity, response: response, writer: writer,
                isShareable: mode == .plain && isShareable(entity, response: response))
        case .complete: return .complete
        case .requestHead, .again: throw DownloadAttemptError.changed(Self.reason(decision))
        case .wait(let status, let delay): throw DownloadAttemptError.again(.httpStatus(status), after: delay)
        case .fail(let error): throw DownloadAttemptError.failed(error)
        }
    }

    private func begin(
        _ entity: RemoteFileVersion, response: StreamingResponse, writer: DownloadFileWriter, isShareable: Bool
    ) async throws -> Opening {
        if let size = request.size, let total = entity.total, size != total {
            throw DownloadAttemptError.failed(.sizeMismatch(expected: size, found: total))
        }
        let name = name(by: response)
        if let existing = try await existingFile(name, entity: entity) { return .existing(existing) }
        if let total = entity.total, let error = await refusal(total, having: 0) {
            throw DownloadAttemptError.diskFull(error)
        }
        let algorithms = Set((digests + entity.digests).map(\.algorithm))
        // Over HTTP/2 it is not known yet if there will be more connections, and preallocation is slow on some file
        // systems.
        try await writer.restart(entity, hashing: algorithms, isReserved: isShareable && !isMultiplexed(response))
        try await note(nameBy: response, isNew: true)
        return .stream(
            Stream(
                response, range: 0..<(entity.total ?? .max), entity: entity, isPart: false, isShareable: isShareable))
    }

    /// Returns an error if there is not enough disk space for the rest; `nil` if there is.
    private func refusal(_ total: Int64, having count: Int64) async -> DownloadError? {
        await FileQueue.run { [self] () -> DownloadError? in
            // The space of the partial file is allocated already.
            let rest = total - max(count, min(total, DownloadFileSystem.allocated(partial)))
            return dependencies.space.refusal(
                for: id, bytes: rest, at: partial, reserve: dependencies.config.minFreeDiskSpace)
        }
    }

    /// An error that means that the server sent the whole file instead of the requested range.
    struct RangesIgnoredError: Error {}

    /// Requests one more segment, for a parallel connection.
    ///
    /// - Parameters:
    ///   - part: The range of the segment.
    ///   - entity: The version of the file.
    ///   - isExtra: True for an additional connection next to one over HTTP/2.
    /// - Returns: The response.
    /// - Throws: ``RangesIgnoredError``, ``DownloadAttemptError``, or the error of the request.
    func openSegment(
        _ part: ResumeDecision.RequestedRange, entity: RemoteFileVersion, isExtra: Bool = false
    ) async throws -> Stream {
        let rangeRequest = ResumeDecision.RangeRequest(part: part, entity: entity, prefix: part.start)
        let (response, decision) = try await send(rangeRequest, mode: .plain, isExtra: isExtra)
        switch decision {
        case .append(let piece):
            return Stream(
                response, range: piece.range, entity: entity, isPart: true, isShareable: true, digests: piece.digests)
        case .restart(let other):
            guard let reason = entity.contradiction(to: other) else { throw RangesIgnoredError() }
            throw DownloadAttemptError.changed(reason)
        case .complete, .requestHead, .again: throw DownloadAttemptError.changed(Self.reason(decision))
        case .wait(let status, let delay): throw DownloadAttemptError.again(.httpStatus(status), after: delay)
        case .fail(let error): throw DownloadAttemptError.failed(error)
        }
    }

    /// Returns the file name according to the current request.
    private func name(by response: StreamingResponse) -> String {
        let requested = journal.journal.beginning.request
        return Self.name(
            requested.fileName, isExact: requested.isNameExact, url: response.url,
            disposition: ContentDisposition.text(in: response.headers))
    }

    /// Records the file name; unless `isNew`, only if none is recorded yet.
    private func note(nameBy response: StreamingResponse, isNew: Bool) async throws(DownloadError) {
        try await FileQueue.run { [self] () throws(DownloadError) in
            try journal.append {
                let (old, new) = (journal.journal.name, name(by: response))
                return old == new || !isNew && old != nil ? nil : JournalRecord.named(new)
            }
        }
    }

    /// Returns the file name.
    static func name(
        _ given: String?, isExact: Bool, url: String, disposition: String? = nil
    ) -> String {
        if isExact, let given, DownloadFileName.isPossible(given) { return given }
        return DownloadFileName.choose(given: given, disposition: disposition, url: url)
    }

    private static func reason(_ decision: ResumeDecision) -> String {
        if case .again(let reason) = decision { return reason }
        return "the server refused to send the remaining bytes"
    }

    private func isShareable(_ entity: RemoteFileVersion, response: StreamingResponse) -> Bool {
        guard entity.validator != nil, let total = entity.total, total >= minimumSegment * 2,
            entity.acceptsRanges || response.statusCode == 206
        else { return false }
        // Additional connections next to one over HTTP/2 use HTTP/1.1, which the user may have ruled out.
        let mayOpenOthers = !isMultiplexed(response) || dependencies.client.configuration.httpVersion == .automatic
        return mayOpenOthers && connections > 1
    }

    /// Returns true if other requests share the connection of a response, as over HTTP/2.
    func isMultiplexed(_ response: StreamingResponse) -> Bool { response.connection?.applicationProtocol == "h2" }

    /// The largest number of connections.
    var connections: Int {
        usesSingleConnection.isSet ? 1 : max(1, min(8, request.connections ?? dependencies.config.segments))
    }

    /// The smallest segment worth a connection of its own, in bytes; clamped so that arithmetic cannot overflow.
    var minimumSegment: Int64 { min(max(1, dependencies.config.minimumSegmentSize), 1 << 59) }
}
