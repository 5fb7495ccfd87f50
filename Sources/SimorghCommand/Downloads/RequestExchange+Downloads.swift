// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Simorgh

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
            let manager: DownloadManager
            do {
                // It reads the journal of each that an earlier run left.
                manager = try await FileQueue.run { () throws in
                    try DownloadManager(config: job.config, client: client)
                }
            } catch let error as DownloadError {
                throw CommandFailure(error)
            }
            let outcome: Result<Void, any Error>
            do { outcome = .success(try await download(job, manager)) } catch { outcome = .failure(error) }
            manager.removeCompleted()
            await manager.closeRemovingFolder()
            try outcome.get()
        }
    }

    private func download(_ job: DownloadJob, _ manager: DownloadManager) async throws {
        var left = manager.tasks.filter { $0.state != .completed }
        if !job.continues {
            for task in left { manager.cancel(id: task.id) }
            let given = Set(left.map(\.id))
            left = []
            // One that is still being stopped keeps its URL.
            for await tasks in manager.taskLists where !tasks.contains(where: { given.contains($0.id) }) { break }
        }
        // What an earlier run completed before it was killed.
        let done = Self.byURL(job.continues ? manager.tasks.filter { $0.state == .completed } : [])
        var begun = Self.byURL(left)
        var ids: [UUID] = []
        var asked: Set<String> = []
        for request in job.requests {
            let url = DownloadHost.normalised(request.url)
            // The same URL twice is one file, in whatever way it is written.
            guard asked.insert(url).inserted else { continue }
            do {
                if let task = done[url]?.last, try await Self.isThere(task, request) {
                    ids.append(task.id)
                } else if let task = begun.removeValue(forKey: url)?.first {
                    ids.append(task.id)
                    try await FileQueue.run { () throws -> Void in
                        // What an earlier run asked for does not bind this one. From another disk the part is copied.
                        try manager.core.revise(task.id, moves: true) { $0 = request }
                        try manager.resume(id: task.id)
                    }
                } else {
                    ids.append(try manager.enqueue(request))
                }
            } catch let error as DownloadError {
                throw CommandFailure(error)
            }
        }
        let last = await DownloadBoard(console: console, isJSON: job.isJSON).follow(ids, of: manager)
        try Task.checkCancellation()
        var first: DownloadError?
        for progress in last where progress.state != .completed {
            let name = manager.tasks.first { $0.id == progress.taskId }.map(\.fileName) ?? "?"
            let error = progress.error ?? .cancelled
            await notes.complain("\(name): \(error)")
            first = first ?? error
            // There is nothing to go on with.
            if progress.downloadedBytes == 0 { manager.cancel(id: progress.taskId) }
        }
        if let first { throw CommandFailure(first.status) }
        guard last.count == ids.count else { throw CommandFailure(.failure, "not all of the files are there") }
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
    fileprivate init(_ error: DownloadError) { self.init(error.status, error.description) }
}

extension DownloadError {
    /// What the program exits with.
    fileprivate var status: ProgramStatus {
        switch self {
        case .httpStatus(let status): ProgramStatus(status: status)
        case .transport(let code, let message):
            ProgramStatus(.urlError(TransportError(code, phase: .body, message: message)))
        case .invalidURL, .alreadyQueued: .usage
        case .insufficientDiskSpace, .file, .fileExists, .directoryInUse: .output
        case .entityChanged, .digestMismatch, .sizeMismatch, .emptyResponse, .encoding: .brokenResponse
        case .tooSlow: .timeout
        case .cancelled: .interrupted
        default: .failure
        }
    }
}
