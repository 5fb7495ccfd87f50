// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport

extension DownloadRun {
    /// The answer that bytes are read of.
    struct Stream: Sendable {
        let chunks: ResponseBody
        /// Which bytes it brings; up to `.max` where nobody knows the end.
        let range: Range<Int64>
        /// What the hash of just these bytes is.
        let digests: [DownloadDigest]
        /// Whether it is a part of the file, so that its end need not be the file's.
        let isPart: Bool
        /// The first of them that are there already, to be compared.
        let overlap: [UInt8]
        let entity: DownloadEntity
        /// Whether other connections may fetch other parts.
        let isShareable: Bool
        /// Where it came from, as its end tells more.
        let answer: StreamingResponse

        init(
            _ answer: StreamingResponse, _ range: Range<Int64>, _ entity: DownloadEntity, isPart: Bool,
            isShareable: Bool, digests: [DownloadDigest] = [], overlap: [UInt8] = []
        ) {
            chunks = answer.chunks
            self.answer = answer
            self.range = range
            self.entity = entity
            self.isPart = isPart
            self.isShareable = isShareable
            self.digests = digests
            self.overlap = overlap
        }
    }

    /// What an answer leads to.
    enum Opening: Sendable {
        case stream(Stream)
        /// All is there already.
        case complete
        /// The body is encoded: it has to be asked for in another manner.
        case decoded
        /// The file was there before.
        case existing(Finished)
    }

    /// How many bytes are compared where nothing else tells that the file is the same.
    private static let overlap: Int64 = 1024

    /// Asks for what is missing first.
    ///
    /// - Parameters:
    ///   - known: What is there; `nil` to begin anew.
    ///   - manner: How to ask.
    ///   - lane: Where the file is.
    /// - Returns: What the answer leads to.
    /// - Throws: ``DownloadStop``, or what the request met.
    func open(_ known: DownloadJournal?, _ manner: Manner, _ lane: DownloadLane) async throws -> Opening {
        var question = ResumeDecision.Question()
        var overlap: [UInt8] = []
        if manner == .plain, let known, let entity = known.entity, known.ranges.count > 0 {
            let have = known.ranges.prefix
            // Whether others may fetch what is left is known when it has answered; that it may is enough to ask for a share.
            let mayShare = connections > 1 && (entity.total ?? 0) >= minimumSegment * 2
            let end = entity.total.flatMap { pieces(of: known.ranges.missing(of: $0), mayShare).first?.upperBound }
            if entity.validator != nil {
                question = ResumeDecision.Question(part: .init(start: have, end: end), entity: entity, have: have)
            } else if request.resumesWithoutValidator, entity.coding == nil, have > 0 {
                let start = max(0, have - Self.overlap)
                overlap = try await lane.bytes(start..<have)
                question = ResumeDecision.Question(part: .init(start: start, end: end), entity: entity, have: have)
            }
        }
        if question.part != nil { try await lane.hashBeginning() }
        let (answer, judgement) = try await ask(question, manner)
        var decision = judgement
        if decision == .ask {
            let head = try await head()
            decision = ResumeDecision.afterHead(
                question, status: head.statusCode, fields: head.headers, url: head.url)
        }
        switch decision {
        case .append(let piece):
            guard var entity = question.entity else { throw DownloadStop.changed("a part came unasked") }
            if entity.total == nil, let total = piece.total {
                entity.total = total
                try await FileQueue.run { [journal] () throws(DownloadError) in try journal.append(.total(total)) }
            }
            // Another name was asked for since it began.
            if journal.journal.name == nil { try await note(nameBy: answer, isNew: false) }
            if let total = entity.total, let error = await refusal(total, having: lane.ranges.count) {
                throw DownloadStop.diskFull(error)
            }
            return .stream(
                Stream(
                    answer, piece.range, entity, isPart: true, isShareable: isShareable(entity, answer),
                    digests: piece.digests, overlap: overlap))
        case .restart(var entity):
            // The same file, and yet the whole: this server gives no parts.
            if question.part != nil, question.entity?.contradiction(to: entity) == nil { isAlone.set() }
            guard entity.coding == nil else {
                guard manner == .plain else { throw DownloadStop.failed(.encoding("its coding is not known")) }
                return .decoded
            }
            // What was decoded on the way is not what parts are counted in.
            if manner == .decoded {
                entity.coding = "decoded"
                // Both are those of what came over the wire.
                (entity.total, entity.digests) = (nil, [])
            }
            return try await begin(entity, answer, lane, isShareable: manner == .plain && isShareable(entity, answer))
        case .complete: return .complete
        case .ask, .again: throw DownloadStop.changed(Self.reason(decision))
        case .wait(let status, let delay): throw DownloadStop.again(.httpStatus(status), after: delay)
        case .fail(let error): throw DownloadStop.failed(error)
        }
    }

    private func begin(
        _ entity: DownloadEntity, _ answer: StreamingResponse, _ lane: DownloadLane, isShareable: Bool
    ) async throws -> Opening {
        if let size = request.size, let total = entity.total, size != total {
            throw DownloadStop.failed(.sizeMismatch(expected: size, found: total))
        }
        let name = name(by: answer)
        if let existing = try await present(name, entity) { return .existing(existing) }
        if let total = entity.total, let error = await refusal(total, having: 0) {
            throw DownloadStop.diskFull(error)
        }
        let algorithms = Set((digests + entity.digests).map(\.algorithm))
        // Over HTTP/2 it is not known yet whether there will be others, and some file systems take their time.
        try await lane.restart(entity, hashing: algorithms, isReserved: isShareable && !isMultiplexed(answer))
        try await note(nameBy: answer, isNew: true)
        return .stream(
            Stream(answer, 0..<(entity.total ?? .max), entity, isPart: false, isShareable: isShareable))
    }

    /// Why there is no room for the rest; `nil` where there is.
    private func refusal(_ total: Int64, having count: Int64) async -> DownloadError? {
        await FileQueue.run { [self] () -> DownloadError? in
            // What the part that is there takes is not needed again.
            let rest = total - max(count, min(total, DownloadDisk.allocated(partial)))
            return around.space.refusal(for: id, rest, at: partial, reserve: around.config.minFreeDiskSpace)
        }
    }

    /// A server that gives the whole of the same file where a part was asked for.
    struct NoParts: Error {}

    /// Asks for one more part, for a connection beside others.
    ///
    /// - Parameters:
    ///   - part: The part.
    ///   - entity: The file that it is of.
    ///   - isExtra: True for a further connection beside one over HTTP/2.
    /// - Returns: The answer.
    /// - Throws: ``NoParts``, ``DownloadStop``, or what the request met.
    func openSegment(
        _ part: ResumeDecision.Part, _ entity: DownloadEntity, isExtra: Bool = false
    ) async throws -> Stream {
        let question = ResumeDecision.Question(part: part, entity: entity, have: part.start)
        let (answer, decision) = try await ask(question, .plain, isExtra: isExtra)
        switch decision {
        case .append(let piece):
            return Stream(answer, piece.range, entity, isPart: true, isShareable: true, digests: piece.digests)
        case .restart(let other):
            guard let reason = entity.contradiction(to: other) else { throw NoParts() }
            throw DownloadStop.changed(reason)
        case .complete, .ask, .again: throw DownloadStop.changed(Self.reason(decision))
        case .wait(let status, let delay): throw DownloadStop.again(.httpStatus(status), after: delay)
        case .fail(let error): throw DownloadStop.failed(error)
        }
    }

    /// What the file is to be called by what is asked for by now.
    private func name(by answer: StreamingResponse) -> String {
        let asked = journal.journal.beginning.request
        return Self.name(
            asked.fileName, asked.isNameExact, answer.url, disposition: ContentDisposition.text(in: answer.headers))
    }

    /// Writes down what the file is to be called; where it is not new, only what nobody has said yet.
    private func note(nameBy answer: StreamingResponse, isNew: Bool) async throws(DownloadError) {
        try await FileQueue.run { [self] () throws(DownloadError) in
            try journal.append {
                let (old, new) = (journal.journal.name, name(by: answer))
                return old == new || !isNew && old != nil ? nil : JournalRecord.named(new)
            }
        }
    }

    /// What the file is to be called.
    static func name(_ given: String?, _ isExact: Bool, _ url: String, disposition: String? = nil) -> String {
        if isExact, let given, DownloadFileName.isPossible(given) { return given }
        return DownloadFileName.choose(given: given, disposition: disposition, url: url)
    }

    private static func reason(_ decision: ResumeDecision) -> String {
        if case .again(let reason) = decision { return reason }
        return "the server would not give the rest"
    }

    private func isShareable(_ entity: DownloadEntity, _ answer: StreamingResponse) -> Bool {
        guard entity.validator != nil, let total = entity.total, total >= minimumSegment * 2,
            entity.acceptsRanges || answer.statusCode == 206
        else { return false }
        // Further connections beside one over HTTP/2 speak HTTP/1.1, which the user may have ruled out.
        let mayOpenOthers = !isMultiplexed(answer) || around.client.configuration.httpVersion == .automatic
        return mayOpenOthers && connections > 1
    }

    /// True if other requests share the connection of an answer, as over HTTP/2.
    func isMultiplexed(_ answer: StreamingResponse) -> Bool { answer.connection?.applicationProtocol == "h2" }

    /// How many connections may fetch it.
    var connections: Int { isAlone.isSet ? 1 : max(1, min(8, request.connections ?? around.config.segments)) }

    /// The smallest part worth a connection of its own, in bytes that can be counted with.
    var minimumSegment: Int64 { min(max(1, around.config.minimumSegmentSize), 1 << 59) }
}
