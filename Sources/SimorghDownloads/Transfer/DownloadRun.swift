// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
import SimorghSupport

/// One go at a download: from what is on the disk to the whole file, or to what stands in the way.
///
/// It owns the files while it runs. Whatever ends it, the journal says what is there.
package struct DownloadRun: Sendable {
    /// What it finished with.
    package struct Finished: Sendable, Equatable {
        /// The path of the file.
        package let file: String
        package let size: Int64
        /// Whether the file is known to be whole: its length, the framing of its body or a hash said so.
        package var isConfirmed = true
        /// True if the file was there before the run, so that nothing was fetched.
        package var wasThere = false
    }

    /// How far it is.
    package struct Report: Sendable {
        /// How many bytes are there.
        package var received: Int64
        package var total: Int64?
        package var speed: Double
        package var eta: Double?
        package var connections: Int
        /// Whether a byte has come in this run.
        package var hasGained: Bool
        /// Which bytes are missing, in the order of the file; `nil` where nobody knows.
        package var missing: [Range<Int64>]?
    }

    /// What it needs of its manager.
    package struct Surroundings: Sendable {
        package let client: APIClient
        package let config: DownloadManagerConfig
        package let budgets: DownloadBudgets
        package let space: DownloadSpace
        package let places: DownloadPlaces
        /// What fetches in place of the client.
        package let carrier: (any DownloadCarrier)?
        package let report: @Sendable (Report) -> Void
        package let log: @Sendable (DownloadLog.Event) -> Void

        package init(
            client: APIClient, config: DownloadManagerConfig, budgets: DownloadBudgets, space: DownloadSpace,
            places: DownloadPlaces, carrier: (any DownloadCarrier)?, report: @escaping @Sendable (Report) -> Void,
            log: @escaping @Sendable (DownloadLog.Event) -> Void
        ) {
            self.client = client
            self.config = config
            self.budgets = budgets
            self.space = space
            self.places = places
            self.carrier = carrier
            self.report = report
            self.log = log
        }
    }

    /// How a request is made.
    enum Manner: Sendable {
        /// Bytes as they lie on the server, of which parts can be asked for.
        case plain
        /// Whatever coding the server insists on, undone on the way: the whole or nothing.
        case decoded
    }

    let folder: DownloadFolder
    let journal: JournalFile
    let request: DownloadRequest
    let around: Surroundings
    let partial: String
    /// Set when the server turned out to give no parts, or not the same ones to all: then one connection has to do.
    let isAlone = DownloadCore.Flag()
    /// Set when the server turned out to give parts for `If-Match` alone.
    let matches = DownloadCore.Flag()

    var id: UUID { folder.id }
    var time: TimeSource { around.client.configuration.time }
    var host: String { DownloadHost.name(of: request.url) }

    package init(_ folder: DownloadFolder, _ journal: JournalFile, _ request: DownloadRequest, _ around: Surroundings) {
        self.folder = folder
        self.journal = journal
        self.request = request
        self.around = around
        partial = folder.partial(for: request)
    }

    /// Runs.
    ///
    /// - Returns: The file, whole and in its place.
    /// - Throws: ``DownloadStop``.
    @concurrent
    package func run() async throws(DownloadStop) -> Finished {
        defer { around.space.needs(id, 0) }
        do {
            if let carrier = around.carrier { return try await carry(carrier) }
            return try await fetchAll()
        } catch {
            // A cancelled task meets all sorts of errors.
            let stop: DownloadStop = Task.isCancelled ? .stopped : DownloadStop(error)
            // Beside somebody's own files nothing is left that holds nothing.
            await FileQueue.run { [partial, corrupt = folder.corrupt] in
                if DownloadDisk.length(of: partial) == 0 { try? DownloadDisk.remove(partial) }
                // What nobody can use takes no room that is lacking.
                if case .diskFull = stop { try? DownloadDisk.remove(corrupt) }
            }
            throw stop
        }
    }

    private func fetchAll() async throws -> Finished {
        var manner = Manner.plain
        var isFresh = false
        var restarts = 0
        var mismatches = 0
        var crumbs = 0
        if let finished = try await placed() { return finished }
        let journal = journal
        var lane = try await openLane()
        while true {
            try Task.checkCancellation()
            let known = journal.journal
            if !isFresh, let entity = known.entity, let total = entity.total, known.ranges.covers(total) {
                if let finished = try await finish(lane, entity, total, &mismatches) { return finished }
                lane = try await openLane()
                isFresh = true
                continue
            }
            do {
                let opening = try await open(isFresh ? nil : known, manner, lane)
                switch opening {
                case .decoded:
                    manner = .decoded
                    isFresh = true
                case .complete:
                    let total = known.entity?.total ?? known.ranges.prefix
                    if let finished = try await finish(lane, known.entity, total, &mismatches) { return finished }
                    lane = try await openLane()
                    isFresh = true
                case .existing(let finished): return finished
                case .stream(let stream):
                    isFresh = false
                    let before = lane.ranges.count
                    try await fetch(stream, into: lane, manner)
                    // A file of unknown length is as long as what came.
                    guard let entity = journal.journal.entity else { continue }
                    // Where it ends is only known when the server has nothing more to give.
                    if entity.total == nil, stream.isPart {
                        crumbs = lane.ranges.count - before < 1024 ? crumbs + 1 : 0
                        guard crumbs < Self.tinyParts else { throw DownloadStop.changed("the server gives crumbs") }
                        continue
                    }
                    let length = entity.total ?? lane.ranges.prefix
                    guard lane.ranges.covers(length) else {
                        throw DownloadStop.again(.transport(.networkConnectionLost, "the body ended early"), after: nil)
                    }
                    let isConfirmed = try await confirm(stream, length, manner)
                    if var finished = try await finish(lane, entity, length, &mismatches) {
                        finished.isConfirmed = isConfirmed
                        return finished
                    }
                    lane = try await openLane()
                    isFresh = true
                }
            } catch DownloadStop.changed(let reason) {
                restarts += 1
                isAlone.set()
                guard restarts < 2 else { throw DownloadStop.failed(.entityChanged(reason)) }
                isFresh = true
            }
        }
    }

    /// Opens the file, or begins it, with what is there of it.
    private func openLane() async throws -> DownloadLane {
        let target = folder.target(for: request)
        return try await FileQueue.run { [journal, partial, time, digests] () throws(DownloadError) in
            try DownloadDisk.makeFolder(target)
            let file = try PartialFile(partial)
            // What was noted and never synced is believed where it can be made to last now: a disk that failed meanwhile
            // says so here, and once.
            let lasts = (try? file.sync()) != nil
            journal.adopt(lasts ? file.marker : nil)
            if !lasts { try journal.append(.ranges(journal.journal.ranges.ends)) }
            // Only what both the journal and the file know of is there.
            var ranges = journal.journal.ranges
            if ranges.end > file.length {
                ranges.cut(at: file.length)
                try journal.append(.ranges(ranges.ends))
            }
            let algorithms = Set((digests + (journal.journal.entity?.digests ?? [])).map(\.algorithm))
            return DownloadLane(file, journal, hashing: algorithms, time: time)
        }
    }

    /// What the caller says that the hash must be.
    var digests: [DownloadDigest] { request.digest.map { [$0] } ?? [] }

    /// Makes what came last now and then; beside whoever says how far it is, as a disk may take its time.
    func sync(_ lane: DownloadLane) async throws {
        while true {
            try await time.sleep(for: .seconds(2))
            try await lane.checkpoint()
        }
    }

    /// Says how far it is, ten times a second where something has changed.
    func tick(_ fetch: DownloadFetch, _ lane: DownloadLane) async throws {
        var last: Int64 = -1
        var rounds = 0
        var slow = time.stopwatch()
        while true {
            try await time.sleep(for: .milliseconds(100))
            rounds += 1
            let report = fetch.report
            if report.received != last || rounds.isMultiple(of: 10) {
                last = report.received
                around.report(report)
            }
            around.space.needs(id, fetch.isReserved ? 0 : (report.total ?? 0) - report.received)
            guard let limit = around.config.lowSpeed else { continue }
            // Who waits for a limit of ours, or for the disk, is not slow.
            if report.speed >= Double(limit.bytesPerSecond) || fetch.isHeldBack || lane.isFull {
                slow = time.stopwatch()
            }
            if slow.elapsed >= Duration(clampingSeconds: limit.seconds) {
                throw DownloadStop.again(.tooSlow, after: nil)
            }
        }
    }
}
