// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh
import SimorghSupport
import Synchronization

/// Reports downloads: as a live picture on a terminal, as JSON for programs, or otherwise only when they end.
final class DownloadReporter: Sendable {
    private static let interval: Duration = .milliseconds(200)

    private let output: ConsoleQueue
    /// The JSON output that replaces the picture.
    private let lines: DownloadJSONPrinter?
    private let isShown: Bool
    private let region = Mutex(TerminalRegion())

    init(console: Console, isJSON: Bool = false) {
        output = ConsoleQueue(console)
        lines = isJSON ? DownloadJSONPrinter(output) : nil
        isShown = !isJSON && console.showsPictures
    }

    /// Shows downloads until all have ended.
    ///
    /// - Parameters:
    ///   - ids: The downloads.
    ///   - manager: The download manager.
    /// - Returns: The final progress of each download, in order; fewer if the task was cancelled.
    func follow(_ ids: [UUID], of manager: DownloadManager) async -> [DownloadProgress] {
        guard !ids.isEmpty else { return [] }
        let start = ContinuousClock.now
        let ordered = await withTaskGroup(of: DownloadProgress?.self) { group in
            for id in ids { group.addTask { [self] in await follow(id, of: manager) } }
            if isShown {
                group.addTask { [self] in
                    await draw(ids, of: manager)
                    return nil
                }
            }
            var ends: [UUID: DownloadProgress] = [:]
            for await end in group {
                guard let end else { continue }
                ends[end.taskId] = end
                // On a terminal the picture would overwrite it.
                if !isShown { await report(end) }
                if ends.count == ids.count { break }
            }
            group.cancelAll()
            await group.waitForAll()
            return ids.compactMap { ends[$0] }
        }
        if isShown {
            var picture = DownloadProgressView(count: ids.count)
            picture.completed = ordered.count { $0.isCompleted }
            picture.failed = ordered.count { $0.isFailed }
            picture.end = .init(isInterrupted: Task.isCancelled, seconds: (ContinuousClock.now - start) / .seconds(1))
            let last = picture
            try? await output.write { [self] console throws(OutputError) in
                try console.error.write(region.withLock { $0.end(last.lines(console.size)) })
            }
            for end in ordered { await report(end) }
        }
        await output.settled()
        return ordered
    }

    private func follow(_ id: UUID, of manager: DownloadManager) async -> DownloadProgress? {
        var last: DownloadProgress?
        var lastNoted: Date?
        for await progress in manager.progress(for: id) {
            last = progress
            await lines?.report(progress, of: manager.core.task(id))
            if let next = progress.nextAttempt, next != lastNoted, !isShown, lines == nil {
                lastNoted = next
                noteWait(until: next, of: manager.core.task(id))
            }
            // Ends the wait: a later run with --continue resumes once there is disk space or a network.
            if [.waitingForSpace, .waitingForNetwork, .paused].contains(progress.state) { break }
        }
        return last
    }

    /// Reports that a download waits for a retry, as the other commands do with `--retry`.
    private func noteWait(until next: Date, of task: DownloadTask?) {
        guard let task, let reason = task.errorMessage else { return }
        let wait = DownloadProgressView.seconds(next.timeIntervalSinceNow)
        output.noteLater("simorgh: " + DisplayText.oneLine("\(task.fileName): \(reason); trying again in \(wait)"))
    }

    /// Prints the path of a completed file.
    private func report(_ end: DownloadProgress) async {
        guard lines == nil, end.isCompleted, let file = end.localURL?.path else { return }
        try? await output.say(DisplayText.oneLine(file))
    }

    /// Draws until the task is cancelled: periodically, because waits count down, and when the terminal's size changes.
    private func draw(_ ids: [UUID], of manager: DownloadManager) async {
        let (strokes, source) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let watch = Signals.watchSize { source.yield() }
        defer { Signals.stopWatchingSize(watch) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                while !Task.isCancelled {
                    source.yield()
                    try? await Task.sleep(for: Self.interval)
                }
                source.finish()
            }
            for await _ in strokes {
                let picture = Self.picture(of: manager.core.snapshots(of: ids), now: Date())
                try? await output.write { [self] console throws(OutputError) in
                    try console.error.write(region.withLock { $0.draw(picture.lines(console.size)) })
                }
            }
            group.cancelAll()
        }
    }

    private static func picture(
        of snapshots: [(task: DownloadTask, progress: DownloadProgress)], now: Date
    ) -> DownloadProgressView {
        var picture = DownloadProgressView(count: snapshots.count)
        for (task, progress) in snapshots {
            var file = DownloadProgressView.File(name: task.fileName)
            switch task.state {
            case .completed: picture.completed += 1
            case .failed, .cancelled: picture.failed += 1
            case .downloading:
                file.received = progress.downloadedBytes
                file.total = progress.totalBytes
                file.speed = progress.speed
                file.eta = progress.eta
                file.connections = progress.connections
                picture.files.append(file)
            case .queued:
                // The other queued files only wait for a free slot.
                guard let next = progress.nextAttempt else { continue }
                file.wait = .init(seconds: next.timeIntervalSince(now), reason: task.errorMessage ?? "")
                picture.files.append(file)
            case .paused, .waitingForNetwork, .waitingForSpace: continue
            }
        }
        return picture
    }
}
#endif
