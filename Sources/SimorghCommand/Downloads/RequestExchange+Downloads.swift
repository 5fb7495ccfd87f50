// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh
import SimorghSupport

extension RequestExchange {
    /// Downloads files, and shows how far they are.
    ///
    /// - Parameter job: What to download.
    /// - Throws: ``CommandFailure`` where not all of them are there, whole and right.
    package func runDownloads(_ job: DownloadJob) async throws {
        try await run { client in
            let client = client.with { configuration in
                configuration.headers["User-Agent"] = Self.userAgent
                configuration.timeouts.total = nil
            }
            for fault in job.faults { await notes.complain(fault) }
            guard !job.requests.isEmpty else { throw CommandFailure(.usage) }
            let manager = try await manager(of: job, client)
            let outcome: Result<Void, any Error>
            do { outcome = .success(try await download(job, manager)) } catch { outcome = .failure(error) }
            // What runs when the command is interrupted notes what it has.
            manager.pauseAll()
            await manager.core.settled()
            let tasks = manager.tasks
            // What has nothing yet is begun by the command line. What is complete is known to a run that goes on.
            for task in tasks where task.state != .completed && task.downloadedBytes == 0 {
                manager.cancel(id: task.id)
            }
            var isInterrupted = false
            if case .failure(is CancellationError) = outcome { isInterrupted = true }
            // Of those that are complete a run that goes on has to know, or it would take the file of one for another's.
            if !isInterrupted, tasks.allSatisfy({ $0.state == .completed }) { manager.removeCompleted() }
            await manager.closeRemovingFolder()
            if isInterrupted, tasks.contains(where: { $0.state != .completed }) {
                await notes.complain("interrupted: the same command with --continue goes on")
            }
            try outcome.get()
            if !job.faults.isEmpty { throw CommandFailure(.usage) }
        }
    }

    /// The manager of the folder, with what earlier runs left of the same URLs.
    private func manager(of job: DownloadJob, _ client: APIClient) async throws -> DownloadManager {
        do throws(DownloadError) {
            // It reads the journal of each that an earlier run left.
            return try await FileQueue.run { () throws(DownloadError) in
                try DownloadManager(
                    config: job.config, client: client, log: DownloadLog(.none, of: client),
                    claiming: job.isShared ? job.requests.map(\.url) : nil)
            }
        } catch {
            guard case .directoryInUse = error else { throw CommandFailure(error) }
            let advice = job.isShared ? "another --output-dir" : "another --output"
            throw CommandFailure(.output, "\(error): wait for it, or give \(advice)")
        }
    }

    private func download(_ job: DownloadJob, _ manager: DownloadManager) async throws {
        var left = manager.tasks
        if !job.continues {
            for task in left { manager.cancel(id: task.id) }
            let given = Set(left.map(\.id))
            left = []
            // One that is still being stopped keeps its URL.
            for await tasks in manager.taskLists where !tasks.contains(where: { given.contains($0.id) }) { break }
        }
        // What an earlier run completed before it ended.
        let done = Self.byURL(left.filter { $0.state == .completed })
        var begun = Self.byURL(left.filter { $0.state != .completed })
        var ids: [UUID] = []
        var asked: Set<String> = []
        var present: Set<UUID> = []
        var refused = false
        for request in job.requests {
            let url = DownloadHost.normalised(request.url)
            // The same URL twice is one file, in whatever way it is written.
            guard asked.insert(url).inserted else { continue }
            guard manager.core.mayFetch(url) else {
                let shown = Redaction.shown(url: request.url)
                await notes.complain("\(shown) is being downloaded to this folder by another simorgh")
                refused = true
                continue
            }
            do throws(DownloadError) {
                if let task = done[url]?.last, try await Self.isThere(task, request) {
                    ids.append(task.id)
                    present.insert(task.id)
                } else if let task = begun.removeValue(forKey: url)?.first {
                    ids.append(task.id)
                    try await FileQueue.run { () throws(DownloadError) -> Void in
                        // What an earlier run asked for does not bind this one. From another disk the part is copied.
                        try manager.core.revise(task.id, moves: true) { $0 = request }
                        try manager.core.resume(task.id)
                    }
                } else {
                    // Its file is there no longer, or is another one.
                    if let task = done[url]?.last { manager.cancel(id: task.id) }
                    ids.append(try manager.core.enqueue(request))
                }
            } catch {
                throw CommandFailure(error)
            }
        }
        let last = await DownloadBoard(console: console, isJSON: job.isJSON).follow(ids, of: manager)
        try Task.checkCancellation()
        let first = await judge(last, manager, present)
        if let first { throw CommandFailure(first.status) }
        guard !refused else { throw CommandFailure(.output) }
        guard last.count == ids.count else { throw CommandFailure(.failure, "not all of the files are there") }
    }

    /// Says what is not there, and of what is there already that nothing was to do.
    ///
    /// - Returns: The first error.
    private func judge(
        _ last: [DownloadProgress], _ manager: DownloadManager, _ present: Set<UUID>
    ) async -> DownloadError? {
        var first: DownloadError?
        for progress in last {
            let task = manager.core.task(progress.taskId)
            guard progress.state != .completed else {
                if present.contains(progress.taskId) || manager.core.wasThere(progress.taskId) {
                    await notes.note("simorgh: \(DisplayText.oneLine(task?.fileName ?? "?")) is there already")
                }
                continue
            }
            let error = progress.error ?? .cancelled
            await notes.complain("\(task?.fileName ?? "?"): \(error.shown(task?.errorMessage))")
            first = first ?? error
        }
        return first
    }

    /// Downloads by what no two have that are under way.
    private static func byURL(_ tasks: [DownloadTask]) -> [String: [DownloadTask]] {
        Dictionary(grouping: tasks) { DownloadHost.normalised($0.url.absoluteString) }
    }

    /// Whether the file of a download that is complete is still the one that was asked for.
    private static func isThere(_ task: DownloadTask, _ request: DownloadRequest) async throws(DownloadError) -> Bool {
        guard task.isLengthConfirmed, let file = task.localURL?.path, let length = DownloadDisk.length(of: file),
            length == task.totalBytes
        else { return false }
        guard let digest = request.digest else { return true }
        return try await FileQueue.run { () throws(DownloadError) -> Bool in
            try DownloadDisk.digest(of: file, digest.algorithm) == digest
        }
    }
}

extension CommandFailure {
    init(_ error: DownloadError) { self.init(error.status, error.shown(nil)) }
}

extension DownloadError {
    /// The error as the other commands word it.
    ///
    /// - Parameter message: What the download's task says of it, which may tell more.
    /// - Returns: A sentence.
    func shown(_ message: String?) -> String {
        let text = message ?? description
        guard case .httpStatus(let status) = self else { return text }
        return text.replacing(description, with: "the server answered \(StatusText.of(status))", maxReplacements: 1)
    }

    /// What the program exits with.
    fileprivate var status: ProgramStatus {
        switch self {
        case .httpStatus(let status): ProgramStatus(status: status)
        case .transport(let code, let message):
            ProgramStatus(.urlError(TransportError(code, phase: .body, message: message)))
        case .invalidURL, .invalidRequest, .alreadyQueued: .usage
        case .insufficientDiskSpace, .file, .fileExists, .directoryInUse: .output
        case .entityChanged, .digestMismatch, .sizeMismatch, .emptyResponse, .encoding: .brokenResponse
        case .tooSlow: .timeout
        case .cancelled: .interrupted
        default: .failure
        }
    }
}
#endif
