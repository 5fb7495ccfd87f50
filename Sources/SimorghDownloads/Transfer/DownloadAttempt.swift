// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
import SimorghSupport

/// One attempt at a download: from the partial file on disk to the complete file, or to a failure.
///
/// It owns the files while it runs. However it ends, the journal records the bytes on disk.
package struct DownloadAttempt: Sendable {
    /// The result of a successful run.
    package struct Finished: Sendable, Equatable {
        /// The path of the file.
        package let file: String
        package let size: Int64
        /// True if the file is known to be complete, by its length, the framing of its body or a hash.
        package var isConfirmed = true
        /// True if the file existed before the run, so that nothing was fetched.
        package var alreadyExisted = false
    }

    /// The progress of a run.
    package struct Report: Sendable {
        /// The number of bytes downloaded, including earlier runs.
        package var received: Int64
        package var total: Int64?
        package var speed: Double
        package var eta: Double?
        package var connections: Int
        /// True if this run has received a byte.
        package var hasGained: Bool
        /// The missing byte ranges, in order; `nil` if unknown.
        package var missing: [Range<Int64>]?
    }

    /// The dependencies of a run.
    package struct Dependencies: Sendable {
        package let client: APIClient
        package let config: DownloadManagerConfig
        package let bandwidth: BandwidthLimits
        package let space: DiskSpaceReservations
        package let fileOwners: DownloadFileOwners
        /// The backend that fetches the file instead of the client.
        package let backend: (any DownloadBackend)?
        /// The earliest time at which the backend may begin; `nil` for now.
        package let earliestBegin: Date?
        /// True if the download was restored after a restart, and the user has not resumed it since.
        package let isRestored: Bool
        package let report: @Sendable (Report) -> Void
        package let log: @Sendable (DownloadLog.Event) -> Void

        package init(
            client: APIClient, config: DownloadManagerConfig, bandwidth: BandwidthLimits, space: DiskSpaceReservations,
            fileOwners: DownloadFileOwners, backend: (any DownloadBackend)?, earliestBegin: Date? = nil,
            isRestored: Bool = false, report: @escaping @Sendable (Report) -> Void,
            log: @escaping @Sendable (DownloadLog.Event) -> Void
        ) {
            self.client = client
            self.config = config
            self.bandwidth = bandwidth
            self.space = space
            self.fileOwners = fileOwners
            self.backend = backend
            self.earliestBegin = earliestBegin
            self.isRestored = isRestored
            self.report = report
            self.log = log
        }
    }

    /// The kind of request.
    package enum RequestMode: Sendable {
        /// Requests the bytes as the server stores them, so that ranges can be requested.
        case plain
        /// Accepts any content coding and decodes it; only the whole file can be requested.
        case decoded
    }

    let folder: DownloadFolder
    let journal: JournalFile
    let request: DownloadRequest
    let dependencies: Dependencies
    let partial: String
    /// Set if the server does not support ranges, or not consistently: then only one connection is used.
    let usesSingleConnection = AtomicFlag()
    /// Set if the server answers range requests only with `If-Match`.
    let requiresIfMatch = AtomicFlag()

    var id: UUID { folder.id }
    var time: TimeSource { dependencies.client.configuration.time }
    var host: String { DownloadHost.name(of: request.url) }

    package init(
        _ folder: DownloadFolder, journal: JournalFile, request: DownloadRequest, dependencies: Dependencies
    ) {
        self.folder = folder
        self.journal = journal
        self.request = request
        self.dependencies = dependencies
        partial = folder.partial(for: request)
    }

    /// Performs the download.
    ///
    /// - Returns: The complete file with its final name.
    /// - Throws: ``DownloadAttemptError``.
    @concurrent
    package func run() async throws(DownloadAttemptError) -> Finished {
        defer { dependencies.space.updateNeed(of: id, to: 0) }
        do {
            if let backend = dependencies.backend { return try await fetchWithBackend(backend) }
            return try await fetchAll()
        } catch {
            // Cancellation can surface as any error.
            let stop: DownloadAttemptError = Task.isCancelled ? .stopped : DownloadAttemptError(error)
            // An empty partial file would litter the user's destination folder.
            await FileQueue.run { [partial, corrupt = folder.corrupt] in
                if DownloadFileSystem.length(of: partial) == 0 { try? DownloadFileSystem.remove(partial) }
                // A file that failed verification must not use up scarce disk space.
                if case .diskFull = stop { try? DownloadFileSystem.remove(corrupt) }
            }
            throw stop
        }
    }

    /// Fetches the file with requests of the client, as the state machine decides.
    private func fetchAll() async throws -> Finished {
        if let finished = try await recoverNamedFile() { return finished }
        var machine = DownloadAttemptStateMachine()
        var writer = try await openWriter()
        // A partial file that is complete is finished without a request, which would check this.
        try Task.checkCancellation()
        while true {
            switch machine.next(journal.journal) {
            case .finish(let entity, let length, let isConfirmed):
                if var finished = try await finish(writer, entity: entity, length: length, machine: &machine) {
                    finished.isConfirmed = isConfirmed
                    return finished
                }
                writer = try await openWriter()
            case .request(let mode, let partial):
                try Task.checkCancellation()
                do {
                    let existing = try await fetchOnce(mode, partial: partial, into: writer, machine: &machine)
                    if let existing { return existing }
                } catch DownloadAttemptError.changed(let reason) {
                    usesSingleConnection.set()
                    try machine.fileChanged(reason)
                } catch DownloadAttemptError.tinyRanges {
                    usesSingleConnection.set()
                    try machine.rangesWereTiny()
                }
            }
        }
    }

    /// Makes one request, and writes the bytes of its response to the partial file.
    ///
    /// - Returns: The file if it exists already, so that nothing was fetched; `nil` otherwise.
    private func fetchOnce(
        _ mode: RequestMode, partial: DownloadJournal?, into writer: DownloadFileWriter,
        machine: inout DownloadAttemptStateMachine
    ) async throws -> Finished? {
        let known = journal.journal
        switch try await open(partial, mode: mode, writer: writer) {
        case .existing(let finished): return finished
        case .decoded: machine.bodyIsEncoded()
        case .complete: machine.nothingIsMissing(known)
        case .stream(let stream):
            machine.bodyBegan()
            let before = writer.ranges.count
            try await fetch(stream, into: writer, mode: mode)
            let (entity, ranges) = (journal.journal.entity, writer.ranges)
            let body = DownloadAttemptStateMachine.EndedBody(
                entity: entity, ranges: ranges, gained: ranges.count - before, isPart: stream.isPart)
            guard let length = try machine.bodyEnded(body) else { return nil }
            let isConfirmed = try await confirm(stream, length: length, mode: mode)
            machine.lengthChecked(entity, length: length, isConfirmed: isConfirmed)
        }
        return nil
    }

    /// Opens or creates the partial file and its writer.
    private func openWriter() async throws -> DownloadFileWriter {
        let target = folder.target(for: request)
        return try await FileQueue.run { [journal, partial, time, digests] () throws(DownloadError) in
            try DownloadFileSystem.makeFolder(target)
            let file = try PartialFile(partial)
            // Ranges recorded but not synced are trusted only if this fsync succeeds: it is the only one that reports
            // an earlier write error.
            let lasts = (try? file.sync()) != nil
            journal.adopt(lasts ? file.marker : nil)
            if !lasts { try journal.append(.ranges(journal.journal.ranges.ends)) }
            // Only bytes that are both in the journal and in the file count.
            var ranges = journal.journal.ranges
            if ranges.end > file.length {
                ranges.cut(at: file.length)
                try journal.append(.ranges(ranges.ends))
            }
            let algorithms = Set((digests + (journal.journal.entity?.digests ?? [])).map(\.algorithm))
            return DownloadFileWriter(file, journal: journal, hashing: algorithms, time: time)
        }
    }

    /// The digests that the caller expects.
    var digests: [DownloadDigest] { request.digest.map { [$0] } ?? [] }

    /// Periodically fsyncs received data; runs in its own task so that a slow disk does not delay progress reports.
    func sync(_ writer: DownloadFileWriter) async throws {
        while true {
            try await time.sleep(for: .seconds(2))
            try await writer.checkpoint()
        }
    }

    /// Reports progress up to ten times a second and checks the minimum speed.
    func tick(_ progress: SegmentProgress, writer: DownloadFileWriter) async throws {
        var last: Int64 = -1
        var rounds = 0
        var slow = time.stopwatch()
        while true {
            try await time.sleep(for: .milliseconds(100))
            rounds += 1
            let report = progress.report
            if report.received != last || rounds.isMultiple(of: 10) {
                last = report.received
                dependencies.report(report)
            }
            dependencies.space.updateNeed(
                of: id, to: progress.isReserved ? 0 : (report.total ?? 0) - report.received)
            guard let limit = dependencies.config.lowSpeed else { continue }
            // A transfer that waits for a bandwidth limit or for the disk is not slow.
            if report.speed >= Double(limit.bytesPerSecond) || progress.isHeldBack || writer.isFull {
                slow = time.stopwatch()
            }
            if slow.elapsed >= Duration(clampingSeconds: limit.seconds) {
                throw DownloadAttemptError.again(.tooSlow, after: nil)
            }
        }
    }
}
