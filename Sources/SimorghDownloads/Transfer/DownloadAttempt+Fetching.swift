// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport

extension DownloadAttempt {
    /// The result of one of the concurrent tasks of a run.
    private enum Step: Sendable {
        /// A segment ended, complete or not, possibly with an error.
        case ended(Int, DownloadAttemptError?, count: Int)
        /// The server sent the whole file instead of a segment.
        case refused(Int)
        /// An additional connection next to one over HTTP/2 could not be opened.
        case declined(Int)
        /// A second has passed.
        case ticked
    }

    /// The number of bytes of all connections to collect before a write, and the longest time to collect them.
    private static let batch = 256 * 1024
    private static let patience: Duration = .milliseconds(250)

    /// Returns the missing ranges, split for several connections if the file can be shared among them.
    func pieces(of missing: [Range<Int64>], _ isShareable: Bool) -> [Range<Int64>] {
        guard isShareable else { return missing }
        return SegmentPlanner.shares(of: missing, among: connections, minimum: minimumSegment)
    }

    /// Reads a response and requests other segments in parallel if that is worthwhile.
    func fetch(_ stream: Stream, into writer: DownloadFileWriter, _ mode: RequestMode) async throws {
        let known = journal.journal.ranges
        let total = mode == .plain ? stream.entity.total : nil
        // Over HTTP/2, one stream may be as fast as several, so additional connections must prove useful.
        let trial = stream.isShareable && isMultiplexed(stream.answer) ? SegmentTrial(maximum: connections) : nil
        let isSharedAtOnce = stream.isShareable && trial == nil
        let missing = total.map { pieces(of: known.missing(of: $0), isSharedAtOnce) } ?? [known.prefix..<Int64.max]
        let plan = SegmentPlanner(missing: missing, limit: isSharedAtOnce ? connections : 1, minimum: minimumSegment)
        let fetch = SegmentProgress(
            plan, trial: trial, received: known.count, total: stream.entity.total, isReserved: isSharedAtOnce,
            time: time)
        defer { dependencies.report(fetch.report) }
        guard let first = fetch.next() else { return }
        do {
            try await share(stream, first, fetch, writer, total)
            // All bytes passed to the writer are written and recorded before the journal is read again.
            try await writer.checkpoint()
        } catch {
            // Received bytes are kept, whatever ended the transfer.
            try? await writer.checkpoint()
            throw error
        }
    }

    private func share(
        _ stream: Stream, _ first: SegmentPlanner.Segment, _ fetch: SegmentProgress, _ writer: DownloadFileWriter, _ total: Int64?
    ) async throws {
        try await withThrowingTaskGroup(of: Step.self) { group in
            group.addTask {
                try await self.tick(fetch, writer)
                return .ticked
            }
            group.addTask {
                try await self.sync(writer)
                return .ticked
            }
            group.addTask { try await self.second() }
            group.addTask { await self.read(stream, first, fetch, writer) }
            // Over HTTP/2, the segment whose stream does not count as an additional connection; `nil` if it has ended.
            // now.
            var main: Int? = first.id
            add(to: &group, fetch, stream.entity, writer, main: &main)
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
                        throw DownloadAttemptError.again(
                            .transport(.badServerResponse, "the server sent the whole file instead of a range"),
                            after: nil)
                    }
                    continue
                case .ended(let id, let stop, let count):
                    let isWhole = fetch.isFinished(id) || total == nil && stop == nil
                    fetch.ended(id)
                    let isExtra = fetch.isTrial && main != id
                    if main == id { main = nil }
                    // Also checked for complete segments; but an additional connection that received nothing did no
                    // harm.
                    let isDeclined =
                        isExtra && !isWhole
                        && (stop.map { $0.isOfConnection || $0.isChange && count == 0 } ?? (count == 0))
                    if case .changed(let reason) = stop, !isDeclined { throw DownloadAttemptError.changed(reason) }
                    // If the length is unknown, a segment that received bytes ended well, and the rest is requested
                    // next.
                    if fetch.isDone || total == nil && isWhole && (count > 0 || !stream.isPart) {
                        return group.cancelAll()
                    }
                    if isDeclined {
                        fetch.shrink()
                    } else if let stop, !isWhole {
                        guard stop.leavesOthers, stream.isShareable, fetch.connections > 0 || mayContinueAlone(stop, fetch)
                        else { throw stop }
                        // The server may limit the number of connections: the remaining ones continue.
                        fetch.shrink()
                    } else if count == 0, !isWhole || total == nil {
                        throw DownloadAttemptError.again(
                            .transport(.networkConnectionLost, "the body ended before its first byte"), after: nil)
                    } else if !isWhole {
                        tiny = count < DownloadAttemptStateMachine.smallestRange ? tiny + 1 : 0
                        guard tiny < DownloadAttemptStateMachine.maximumTinyRanges else {
                            throw DownloadAttemptError.tinyRanges
                        }
                    }
                }
                add(to: &group, fetch, stream.entity, writer, main: &main)
            }
            group.cancelAll()
        }
    }

    /// Returns true if only the additional connections were refused and the accepted one has ended: a single one then
    /// continues.
    private func mayContinueAlone(_ stop: DownloadAttemptError, _ fetch: SegmentProgress) -> Bool {
        guard case .failed = stop, fetch.hasGained, !isAlone.isSet else { return false }
        isAlone.set()
        return true
    }

    /// Waits a second, after which free connections may help slow ones.
    private func second() async throws -> Step {
        try await time.sleep(for: .seconds(1))
        return .ticked
    }

    private func add(
        to group: inout ThrowingTaskGroup<Step, any Error>, _ fetch: SegmentProgress, _ entity: RemoteFileVersion,
        _ writer: DownloadFileWriter, main: inout Int?
    ) {
        while true {
            let isExtra = fetch.isTrial && main != nil
            guard let segment = fetch.next(isExtra: isExtra) else { return }
            if !isExtra { main = segment.id }
            group.addTask {
                do {
                    let stream = try await self.openSegment(
                        ResumeDecision.RequestedRange(start: segment.position, end: segment.end), entity, isExtra: isExtra)
                    return await self.read(stream, segment, fetch, writer)
                } catch  where isExtra && !Task.isCancelled {
                    // Whatever the error, even another version of the file on another server: none of its bytes was
                    // used.
                    return .declined(segment.id)
                } catch is RangesIgnoredError {
                    return .refused(segment.id)
                } catch {
                    return .ended(segment.id, DownloadAttemptError(error), count: 0)
                }
            }
        }
    }

    /// Reads the body of a response into its segment; bytes received before an error are kept.
    private func read(
        _ stream: Stream, _ segment: SegmentPlanner.Segment, _ fetch: SegmentProgress, _ writer: DownloadFileWriter
    ) async -> Step {
        var batch: [Data] = []
        var (offset, count) = (segment.position, 0)
        var waited = time.stopwatch()
        var expected = stream.overlap[...]
        var content = RangeVerifier(stream)
        var stop: DownloadAttemptError?
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
                        throw DownloadAttemptError.changed("its last bytes differ from the partial file")
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
                    try await writer.write(full, at: offset)
                    offset += Int64(count)
                    (count, waited) = (0, time.stopwatch())
                }
                if isFinished { break }
                var delay = dependencies.budgets.take(length, for: id, from: host)
                while delay > .zero {
                    fetch.held(true)
                    defer { fetch.held(false) }
                    // In slices, as the limit may be lifted meanwhile.
                    try await time.sleep(for: min(delay, .milliseconds(250)))
                    delay = dependencies.budgets.owed(by: id, to: host)
                }
            }
            if !expected.isEmpty { throw DownloadAttemptError.changed("it is shorter than the partial file") }
            // Reads the trailers; an error here does not matter, because all bytes have arrived.
            if content.isAtEnd, stream.answer.headers.contains(.trailer) { _ = try? await iterator.next() }
            try content.end(stream.answer.trailers)
            try await noteTrailers(of: stream)
        } catch {
            stop = DownloadAttemptError(error)
        }
        if !batch.isEmpty {
            do throws(DownloadError) { try await writer.write(batch, at: offset) } catch {
                stop = DownloadAttemptError(error)
            }
        }
        return .ended(segment.id, stop, count: gained)
    }
}
