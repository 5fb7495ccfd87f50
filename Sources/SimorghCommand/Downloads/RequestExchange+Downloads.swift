// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh
import SimorghSupport

extension RequestExchange {
    /// Downloads files and shows their progress.
    ///
    /// - Parameter job: The downloads.
    /// - Throws: ``CommandError`` if a file is not complete and valid.
    package func runDownloads(_ job: DownloadJob) async throws {
        try await run { client in
            let client = client.with { configuration in
                configuration.headers["User-Agent"] = Self.userAgent
                configuration.timeouts.total = nil
            }
            for fault in job.faults { await notes.complain(fault) }
            guard !job.requests.isEmpty else { throw CommandError(.usage) }
            let manager = try await manager(of: job, client: client)
            let outcome: Result<Void, any Error>
            do {
                outcome = .success(try await download(job, with: manager))
            } catch {
                outcome = .failure(error)
            }
            // Running downloads record their progress before the command ends.
            manager.pauseAll()
            await manager.core.settled()
            let tasks = manager.tasks
            // Without received bytes there is nothing to resume. Completed downloads are kept for a later run with
            // --continue.
            for task in tasks where task.state != .completed && task.downloadedBytes == 0 {
                manager.cancel(id: task.id)
            }
            var isInterrupted = false
            if case .failure(is CancellationError) = outcome { isInterrupted = true }
            // If others are incomplete, a run with --continue must know the completed ones, or it would mix up equal
            // file names.
            if !isInterrupted, tasks.allSatisfy({ $0.state == .completed }) { manager.removeCompleted() }
            await manager.closeRemovingFolder()
            if isInterrupted, tasks.contains(where: { $0.state != .completed }) {
                await notes.complain("interrupted: run the same command with --continue to resume")
            }
            try outcome.get()
            if !job.faults.isEmpty { throw CommandError(.usage) }
        }
    }

    /// Returns the manager of the folder, with the downloads that earlier runs left of the same URLs.
    private func manager(of job: DownloadJob, client: APIClient) async throws -> DownloadManager {
        do throws(DownloadError) {
            // The initializer reads the journal of each earlier download.
            return try await FileQueue.run { () throws(DownloadError) in
                try DownloadManager(
                    config: job.config, client: client, log: DownloadLog(.none, of: client),
                    claiming: job.isShared ? job.requests.map(\.url) : nil)
            }
        } catch {
            guard case .directoryInUse = error else { throw CommandError(error) }
            let advice = job.isShared ? "another --output-dir" : "another --output"
            throw CommandError(.output, message: "\(error): wait for it, or use \(advice)")
        }
    }

    private func download(_ job: DownloadJob, with manager: DownloadManager) async throws {
        var left = manager.tasks
        if !job.continues {
            for task in left { manager.cancel(id: task.id) }
            let discarded = Set(left.map(\.id))
            left = []
            // A download that is still being cancelled keeps its URL.
            for await tasks in manager.taskLists where !tasks.contains(where: { discarded.contains($0.id) }) { break }
        }
        // Downloads that an earlier run completed before it ended.
        let done = Self.byURL(left.filter { $0.state == .completed })
        var begun = Self.byURL(left.filter { $0.state != .completed })
        var ids: [UUID] = []
        var requestedURLs: Set<String> = []
        var present: Set<UUID> = []
        var refused = false
        for request in job.requests {
            let url = DownloadHost.normalized(request.url)
            // Equal URLs are one file, however they are spelled.
            guard requestedURLs.insert(url).inserted else { continue }
            guard manager.core.ownsURL(url) else {
                let shown = Redaction.shown(url: request.url)
                await notes.complain("\(shown) is being downloaded to this folder by another simorgh process")
                refused = true
                continue
            }
            do throws(DownloadError) {
                if let task = done[url]?.last, try await Self.isPresent(task, for: request) {
                    ids.append(task.id)
                    present.insert(task.id)
                } else if let task = begun.removeValue(forKey: url)?.first {
                    ids.append(task.id)
                    try await FileQueue.run { () throws(DownloadError) -> Void in
                        // The request of this run replaces that of the earlier run. On another disk the partial file is
                        // copied.
                        try manager.core.revise(task.id, moves: true) { $0 = request }
                        try manager.core.resume(task.id)
                    }
                } else {
                    // Its file was removed or replaced.
                    if let task = done[url]?.last { manager.cancel(id: task.id) }
                    ids.append(try manager.core.enqueue(request))
                }
            } catch {
                throw CommandError(error)
            }
        }
        let last = await DownloadReporter(console: console, isJSON: job.isJSON).follow(ids, of: manager)
        try Task.checkCancellation()
        let first = await reportOutcomes(last, manager: manager, present: present)
        if let first { throw CommandError(first.status) }
        guard !refused else { throw CommandError(.output) }
        guard last.count == ids.count else { throw CommandError(.failure, message: "not all files were downloaded") }
    }

    /// Reports the failed downloads, and the files that existed already.
    ///
    /// - Returns: The first error.
    private func reportOutcomes(
        _ last: [DownloadProgress], manager: DownloadManager, present: Set<UUID>
    ) async -> DownloadError? {
        var first: DownloadError?
        for progress in last {
            let task = manager.core.task(progress.taskId)
            guard progress.state != .completed else {
                if present.contains(progress.taskId) || manager.core.alreadyExisted(progress.taskId) {
                    await notes.note("simorgh: \(DisplayText.oneLine(task?.fileName ?? "?")) exists already")
                }
                continue
            }
            let error = progress.error ?? .cancelled
            await notes.complain("\(task?.fileName ?? "?"): \(error.shown(task?.errorMessage))")
            first = first ?? error
        }
        return first
    }

    /// Returns the downloads by normalized URL, which is unique among active downloads.
    private static func byURL(_ tasks: [DownloadTask]) -> [String: [DownloadTask]] {
        Dictionary(grouping: tasks) { DownloadHost.normalized($0.url.absoluteString) }
    }

    /// Returns true if the file of a completed download still has its length and the requested digest.
    private static func isPresent(
        _ task: DownloadTask, for request: DownloadRequest
    ) async throws(DownloadError) -> Bool {
        guard task.isLengthConfirmed, let file = task.localURL?.path, let length = DownloadFileSystem.length(of: file),
            length == task.totalBytes
        else { return false }
        guard let digest = request.digest else { return true }
        return try await FileQueue.run { () throws(DownloadError) -> Bool in
            try DownloadFileSystem.digest(of: file, using: digest.algorithm) == digest
        }
    }
}

extension CommandError {
    init(_ error: DownloadError) { self.init(error.status, message: error.shown(nil)) }
}

extension DownloadError {
    /// Returns the error in the wording of the other commands.
    ///
    /// - Parameter message: The download task's error message, which may have more details.
    /// - Returns: The message.
    func shown(_ message: String?) -> String {
        let text = message ?? description
        guard case .httpStatus(let status) = self else { return text }
        return text.replacing(description, with: "the server answered \(StatusText.of(status))", maxReplacements: 1)
    }

    /// The exit status for the error.
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
