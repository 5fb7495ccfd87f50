// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport

extension DownloadRun {
    /// What one of the works that run side by side came to.
    private enum Step: Sendable {
        /// A part ended: with all its bytes or not, or with what its connection met.
        case ended(Int, DownloadStop?, count: Int)
        /// It was given the whole in place of a part.
        case refused(Int)
        /// A further connection beside one over HTTP/2 could not be had.
        case declined(Int)
        /// A second has passed.
        case ticked
    }

    /// How many bytes of all connections are written at a time, and how long they may wait for more.
    private static let batch = 256 * 1024
    /// How many tiny parts in a row are believed to lead somewhere.
    static let tinyParts = 100
    private static let patience: Duration = .milliseconds(250)

    /// What is missing, in a piece for each connection where there may be several.
    func pieces(of missing: [Range<Int64>], _ isShareable: Bool) -> [Range<Int64>] {
        guard isShareable else { return missing }
        return SegmentPlanner.shares(of: missing, among: connections, minimum: minimumSegment)
    }

    /// Reads an answer, and asks for other parts beside it where that is worth it.
    func fetch(_ stream: Stream, into lane: DownloadLane, _ manner: Manner) async throws {
        let known = journal.journal.ranges
        let total = manner == .plain ? stream.entity.total : nil
        // Over HTTP/2 one stream may be as fast as all of them, so that further connections have to prove their worth.
        let trial = stream.isShareable && isMultiplexed(stream.answer) ? SegmentTrial(maximum: connections) : nil
        let isSharedAtOnce = stream.isShareable && trial == nil
        let missing = total.map { pieces(of: known.missing(of: $0), isSharedAtOnce) } ?? [known.prefix..<Int64.max]
        let plan = SegmentPlanner(missing: missing, limit: isSharedAtOnce ? connections : 1, minimum: minimumSegment)
        let fetch = DownloadFetch(
            plan, trial: trial, received: known.count, total: stream.entity.total, isReserved: isSharedAtOnce,
            time: time)
        defer { around.report(fetch.report) }
        guard let first = fetch.next() else { return }
        do {
            try await share(stream, first, fetch, lane, total)
            // What was handed over is written and put down before anybody asks what is there.
            try await lane.checkpoint()
        } catch {
            // What came is there, whatever ended it.
            try? await lane.checkpoint()
            throw error
        }
    }

    private func share(
        _ stream: Stream, _ first: SegmentPlanner.Segment, _ fetch: DownloadFetch, _ lane: DownloadLane, _ total: Int64?
    ) async throws {
        try await withThrowingTaskGroup(of: Step.self) { group in
            group.addTask {
                try await self.tick(fetch, lane)
                return .ticked
            }
            group.addTask {
                try await self.sync(lane)
                return .ticked
            }
            group.addTask { try await self.second() }
            group.addTask { await self.read(stream, first, fetch, lane) }
            // Over HTTP/2, the part whose stream does not count as a further connection; `nil` if there is none now.
            var main: Int? = first.id
            add(to: &group, fetch, stream.entity, lane, main: &main)
            var tiny = 0
            while let step = try await group.next() {
                switch step {
                case .ticked:
                    fetch.measure()
                    group.addTask { try await self.second() }
                case .declined(let id):
                    fetch.ended(id)
                    fetch.shrink()
                    fetch.widen(first.id, upTo: stream.range.upperBound)
                case .refused(let id):
                    if main == id { main = nil }
                    isAlone.set()
                    fetch.ended(id)
                    fetch.shrink()
                    fetch.widen(first.id, upTo: stream.range.upperBound)
                    guard fetch.connections > 0 else {
                        throw DownloadStop.again(
                            .transport(.badServerResponse, "the server gives no parts after all"), after: nil)
                    }
                    continue
                case .ended(let id, let stop, let count):
                    let isWhole = fetch.isFinished(id) || total == nil && stop == nil
                    fetch.ended(id)
                    let isExtra = fetch.isTried && main != id
                    if main == id { main = nil }
                    // Also of one whose bytes are all there; a further connection that brought nothing spoilt nothing.
                    let isDeclined =
                        isExtra && !isWhole
                        && (stop.map { $0.isOfConnection || $0.isChange && count == 0 } ?? (count == 0))
                    if case .changed(let reason) = stop, !isDeclined { throw DownloadStop.changed(reason) }
                    // Where nobody knows the length, a part that brought something ends well, and the rest is asked for.
                    if fetch.isDone || total == nil && isWhole && (count > 0 || !stream.isPart) {
                        return group.cancelAll()
                    }
                    if isDeclined {
                        fetch.shrink()
                    } else if let stop, !isWhole {
                        guard stop.leavesOthers, stream.isShareable, fetch.connections > 0 || isSpared(stop, fetch)
                        else { throw stop }
                        // The server may not want so many: those that are left go on.
                        fetch.shrink()
                    } else if count == 0, !isWhole || total == nil {
                        throw DownloadStop.again(
                            .transport(.networkConnectionLost, "the body ended before its first byte"), after: nil)
                    } else if !isWhole {
                        tiny = count < 1024 ? tiny + 1 : 0
                        guard tiny < Self.tinyParts else { throw DownloadStop.changed("the server gives crumbs") }
                    }
                }
                add(to: &group, fetch, stream.entity, lane, main: &main)
            }
            group.cancelAll()
        }
    }

    /// Whether the others were refused, and the one that was not has ended meanwhile: then one goes on alone.
    private func isSpared(_ stop: DownloadStop, _ fetch: DownloadFetch) -> Bool {
        guard case .failed = stop, fetch.hasGained, !isAlone.isSet else { return false }
        isAlone.set()
        return true
    }

    /// From time to time it is looked whether a connection that is free could help one that is slow.
    private func second() async throws -> Step {
        try await time.sleep(for: .seconds(1))
        return .ticked
    }

    private func add(
        to group: inout ThrowingTaskGroup<Step, any Error>, _ fetch: DownloadFetch, _ entity: DownloadEntity,
        _ lane: DownloadLane, main: inout Int?
    ) {
        while true {
            let isExtra = fetch.isTried && main != nil
            guard let segment = fetch.next(isExtra: isExtra) else { return }
            if !isExtra { main = segment.id }
            group.addTask {
                do {
                    let stream = try await self.openSegment(
                        ResumeDecision.Part(start: segment.position, end: segment.end), entity, isExtra: isExtra)
                    return await self.read(stream, segment, fetch, lane)
                } catch  where isExtra && !Task.isCancelled {
                    // Whatever it met, also another version of the file on another server, not one byte of it was used.
                    return .declined(segment.id)
                } catch is NoParts {
                    return .refused(segment.id)
                } catch {
                    return .ended(segment.id, DownloadStop(error), count: 0)
                }
            }
        }
    }

    /// Reads the body of one answer into its part; what came before an error is kept.
    private func read(
        _ stream: Stream, _ segment: SegmentPlanner.Segment, _ fetch: DownloadFetch, _ lane: DownloadLane
    ) async -> Step {
        var batch: [Data] = []
        var (offset, count) = (segment.position, 0)
        var waited = time.stopwatch()
        var expected = stream.overlap[...]
        var content = PieceCheck(stream)
        var stop: DownloadStop?
        var gained = 0
        let host = host
        let batchSize = max(64 * 1024, Self.batch / max(1, fetch.connections))
        do {
            var iterator = stream.chunks.makeAsyncIterator()
            while var chunk = try await iterator.next() {
                try content.take(chunk)
                if !expected.isEmpty {
                    let length = min(expected.count, chunk.count)
                    guard chunk.prefix(length).elementsEqual(expected.prefix(length)) else {
                        throw DownloadStop.changed("its last bytes are not those that are there")
                    }
                    expected = expected.dropFirst(length)
                    chunk = chunk.dropFirst(length)
                }
                let (place, isFinished) = fetch.received(chunk.count, for: segment.id)
                let length = Int(place.upperBound - place.lowerBound)
                if length > 0 {
                    gained += length
                    batch.append(length == chunk.count ? chunk : chunk.prefix(length))
                    count += length
                }
                if count >= batchSize || isFinished || waited.elapsed >= Self.patience {
                    let full = batch
                    batch = []
                    try await lane.write(full, at: offset)
                    offset += Int64(count)
                    (count, waited) = (0, time.stopwatch())
                }
                if isFinished { break }
                var delay = around.budgets.take(length, for: id, from: host)
                while delay > .zero {
                    fetch.held(true)
                    defer { fetch.held(false) }
                    // In slices, as the limit may be lifted meanwhile.
                    try await time.sleep(for: min(delay, .milliseconds(250)))
                    delay = around.budgets.owed(by: id, to: host)
                }
            }
            if !expected.isEmpty { throw DownloadStop.changed("it ends before what is there") }
            // What stands behind the last byte; whoever does not get it has the bytes all the same.
            if content.isAtEnd, stream.answer.headers.has(.trailer) { _ = try? await iterator.next() }
            try content.end(stream.answer.trailers)
            try await noteTrailers(of: stream)
        } catch {
            stop = DownloadStop(error)
        }
        if !batch.isEmpty {
            do throws(DownloadError) { try await lane.write(batch, at: offset) } catch {
                stop = DownloadStop(error)
            }
        }
        return .ended(segment.id, stop, count: gained)
    }
}
