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
    private static let batchBytes = 256 * 1024
    private static let maximumBatchAge: Duration = .milliseconds(250)

    /// Returns the missing ranges, split for several connections if the file can be shared among them.
    func pieces(of missing: [Range<Int64>], isShareable: Bool) -> [Range<Int64>] {
        guard isShareable else { return missing }
        return SegmentPlanner.shares(of: missing, among: connections, minimum: minimumSegment)
    }

    /// Reads a response and requests other segments in parallel if that is worthwhile.
    func fetch(_ stream: Stream, into writer: DownloadFileWriter, mode: RequestMode) async throws {
        let known = journal.journal.ranges
        let total = mode == .plain ? stream.entity.total : nil
        // Over HTTP/2, one stream may be as fast as several, so additional connections must prove useful.
        let trial = stream.isShareable && isMultiplexed(stream.response) ? SegmentTrial(maximum: connections) : nil
        let isSharedAtOnce = stream.isShareable && trial == nil
        let missing =
            total.map { pieces(of: known.missing(of: $0), isShareable: isSharedAtOnce) } ?? [known.prefix..<Int64.max]
        let plan = SegmentPlanner(missing: missing, limit: isSharedAtOnce ? connections : 1, minimum: minimumSegment)
        let progress = SegmentProgress(
            plan, trial: trial, received: known.count, total: stream.entity.total, isReserved: isSharedAtOnce,
            time: time)
        defer { dependencies.report(progress.report) }
        guard let first = progress.next() else { return }
        do {
            try await share(stream, first: first, progress: progress, writer: writer, total: total)
            // All bytes passed to the writer are written and recorded before the journal is read again.
            try await writer.checkpoint()
        } catch {
            // Received bytes are kept, whatever ended the transfer.
            try? await writer.checkpoint()
            throw error
        }
    }

    private func share(
        _ stream: Stream, first: SegmentPlanner.Segment, progress: SegmentProgress, writer: DownloadFileWriter,
        total: Int64?
    ) async throws {
        try await withThrowingTaskGroup(of: Step.self) { group in
            group.addTask {
                try await self.tick(progress, writer: writer)
                return .ticked
            }
            group.addTask {
                try await self.sync(writer)
                return .ticked
            }
            group.addTask { try await self.second() }
            group.addTask { await self.read(stream, segment: first, progress: progress, writer: writer) }
            // Over HTTP/2, the segment whose stream does not count as an additional connection; `nil` if it has ended.
            var main: Int? = first.id
            add(to: &group, progress: progress, entity: stream.entity, writer: writer, main: &main)
            var tiny = 0
            while let step = try await group.next() {
                switch step {
                case .ticked:
                    progress.measure()
                    group.addTask { try await self.second() }
                case .declined(let id):
                    progress.ended(id)
                    progress.shrink()
                    progress.widen(first.id, upTo: stream.range.upperBound)
                case .refused(let id):
                    if main == id { main = nil }
                    usesSingleConnection.set()
                    progress.ended(id)
                    progress.shrink()
                    progress.widen(first.id, upTo: stream.range.upperBound)
                    guard progress.connections > 0 else {
                        throw DownloadAttemptError.again(
                            .transport(.badServerResponse, "the server sent the whole file instead of a range"),
                            after: nil)
                    }
                    continue
                case .ended(let id, let stop, let count):
                    let isWhole = progress.isFinished(id) || total == nil && stop == nil
                    progress.ended(id)
                    let isExtra = progress.isTrial && main != id
                    if main == id { main = nil }
                    // Also checked for complete segments; but an additional connection that received nothing did no
                    // harm.
                    let isDeclined =
                        isExtra && !isWhole
                        && (stop.map { $0.isOfConnection || $0.isChange && count == 0 } ?? (count == 0))
                    if case .changed(let reason) = stop, !isDeclined { throw DownloadAttemptError.changed(reason) }
                    // If the length is unknown, a segment that received bytes ended well, and the rest is requested
                    // next.
                    if progress.isDone || total == nil && isWhole && (count > 0 || !stream.isPart) {
                        return group.cancelAll()
                    }
                    if isDeclined {
                        progress.shrink()
                    } else if let stop, !isWhole {
                        guard stop.leavesOthers, stream.isShareable,
                            progress.connections > 0 || mayContinueAlone(after: stop, progress: progress)
                        else { throw stop }
                        // The server may limit the number of connections: the remaining ones continue.
                        progress.shrink()
                    } else if count == 0, !isWhole || total == nil {
                        throw DownloadAttemptError.again(
                            .transport(.networkConnectionLost, "the body ended before its first byte"), after: nil)
                    } else if !isWhole {
                        tiny = count < DownloadAttemptStateMachine.minimumRangeBytes ? tiny + 1 : 0
                        guard tiny < DownloadAttemptStateMachine.maximumTinyRanges else {
                            throw DownloadAttemptError.tinyRanges
                        }
                    }
                }
                add(to: &group, progress: progress, entity: stream.entity, writer: writer, main: &main)
            }
            group.cancelAll()
        }
    }

    /// Returns true if only the additional connections were refused and the accepted one has ended: a single one then
    /// continues.
    private func mayContinueAlone(after stop: DownloadAttemptError, progress: SegmentProgress) -> Bool {
        guard case .failed = stop, progress.hasGained, !usesSingleConnection.isSet else { return false }
        usesSingleConnection.set()
        return true
    }

    /// Waits a second, after which free connections may help slow ones.
    private func second() async throws -> Step {
        try await time.sleep(for: .seconds(1))
        return .ticked
    }

    private func add(
        to group: inout ThrowingTaskGroup<Step, any Error>, progress: SegmentProgress, entity: RemoteFileVersion,
        writer: DownloadFileWriter, main: inout Int?
    ) {
        while true {
            let isExtra = progress.isTrial && main != nil
            guard let segment = progress.next(isExtra: isExtra) else { return }
            if !isExtra { main = segment.id }
            group.addTask {
                do {
                    let stream = try await self.openSegment(
                        ResumeDecision.RequestedRange(start: segment.position, end: segment.end), entity: entity,
                        isExtra: isExtra)
                    return await self.read(stream, segment: segment, progress: progress, writer: writer)
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
        _ stream: Stream, segment: SegmentPlanner.Segment, progress: SegmentProgress, writer: DownloadFileWriter
    ) async -> Step {
        var batch: [Data] = []
        var (offset, count) = (segment.position, 0)
        var waited = time.stopwatch()
        var expected = stream.overlap[...]
        var content = RangeVerifier(stream)
        var stop: DownloadAttemptError?
        var gained = 0
        let host = host
        let batchSize = max(64 * 1024, Self.batchBytes / max(1, progress.connections))
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
                let (range, isFinished) = progress.received(chunk.count, for: segment.id)
                let length = Int(range.upperBound - range.lowerBound)
                if length > 0 {
                    gained += length
                    batch.append(length == chunk.count ? chunk : chunk.prefix(length))
                    count += length
                }
                if count >= batchSize || isFinished || waited.elapsed >= Self.maximumBatchAge {
                    let full = batch
                    batch = []
                    try await writer.write(full, at: offset)
                    offset += Int64(count)
                    (count, waited) = (0, time.stopwatch())
                }
                if isFinished { break }
                var delay = dependencies.bandwidth.take(length, for: id, from: host)
                while delay > .zero {
                    progress.setWaiting(true)
                    defer { progress.setWaiting(false) }
                    // In slices, as the limit may be lifted meanwhile.
                    try await time.sleep(for: min(delay, .milliseconds(250)))
                    delay = dependencies.bandwidth.owed(by: id, to: host)
                }
            }
            if !expected.isEmpty { throw DownloadAttemptError.changed("it is shorter than the partial file") }
            // Reads the trailers; an error here does not matter, because all bytes have arrived.
            if content.isAtEnd, stream.response.headers.contains(.trailer) { _ = try? await iterator.next() }
            try content.end(stream.response.trailers)
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
