// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh

// shown: begin
/// Downloads in segments, in a queue, and across restarts of the process.
actor DownloadsTab {
    private let folder: URL
    private var manager: DownloadManager
    /// Told of each manager.
    private let observe: @Sendable (DownloadManager) -> Void

    init(folder: URL, observe: @escaping @Sendable (DownloadManager) -> Void) throws {
        self.folder = folder
        self.observe = observe
        manager = try Self.manager(in: folder)
        observe(manager)
    }

    private static func manager(in folder: URL) throws -> DownloadManager {
        var config = DownloadManagerConfig(
            maxConcurrentDownloads: 2, downloadDirectory: folder, minFreeDiskSpace: 50 * 1024 * 1024)
        config.segments = 4
        config.minimumSegmentSize = 512 * 1024
        return try DownloadManager(config: config)
    }

    func add(_ urls: [URL], priority: DownloadPriority) -> [UUID] { manager.enqueueBatch(urls, priority: priority) }
    func pause(_ id: UUID) { manager.pause(id: id) }
    func resume(_ id: UUID) throws { try manager.resume(id: id) }
    func cancel(_ id: UUID) { manager.cancel(id: id) }
    func removeCompleted() { manager.removeCompleted() }

    /// Closes the manager in the middle of its work, and creates another one in the same folder, which resumes.
    func restart() async throws {
        let ended = manager
        await ended.close()
        // A concurrent call may have restarted it already.
        guard manager === ended else { return }
        manager = try Self.manager(in: folder)
        observe(manager)
    }

    /// Streams all downloads, now and after each change.
    func rows() -> AsyncThrowingStream<[Row], any Error> {
        feed(keeping: 1) { [self] send in
            // A closed manager ends its events; the loop continues with the next manager.
            while !Task.isCancelled {
                let manager = await self.manager
                var latest: [UUID: DownloadProgress] = [:]
                // Subscribed to first, so that no event is missed between the list and the events.
                let events = manager.events
                send(Self.rows(manager.tasks, latest))
                for await event in events {
                    if case .progress(let progress) = event { latest[progress.taskId] = progress }
                    if case .removed(let id) = event { latest[id] = nil }
                    send(Self.rows(manager.tasks, latest))
                }
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }
}
// shown: end

extension DownloadsTab {
    /// A row of the page's list of downloads.
    struct Row: Encodable, Sendable {
        let id: UUID
        let name: String
        let url: String
        let priority: String
        let state: String
        let bytes: Int64
        let total: Int64?
        let speed: Double
        let eta: Double?
        let connections: Int
        /// The start and end of each missing range, as fractions of the file.
        let missing: [[Double]]
        let message: String?
        let isThere: Bool
    }

    private static func rows(_ tasks: [DownloadTask], _ latest: [UUID: DownloadProgress]) -> [Row] {
        tasks.map { task in
            let progress = latest[task.id]
            let isRunning = task.state == .downloading
            let total = Double(task.totalBytes ?? progress?.totalBytes ?? 0)
            let missing = total > 0 ? progress?.missingRanges ?? [] : []
            return Row(
                id: task.id, name: task.fileName, url: task.url.absoluteString, priority: "\(task.priority)",
                state: task.state.rawValue, bytes: max(task.downloadedBytes, progress?.downloadedBytes ?? 0),
                total: task.totalBytes ?? progress?.totalBytes, speed: isRunning ? progress?.speed ?? 0 : 0,
                eta: isRunning ? progress?.eta : nil, connections: isRunning ? progress?.connections ?? 0 : 0,
                missing: missing.map { [Double($0.lowerBound) / total, Double($0.upperBound) / total] },
                message: task.errorMessage, isThere: task.localURL != nil)
        }
    }

    /// Stops all downloads; partial files stay.
    func close() async { await manager.close() }

    /// Returns the location of a completed file.
    func file(_ id: UUID) -> URL? { manager.tasks.first { $0.id == id }?.localURL }

    static func priority(_ name: String) -> DownloadPriority {
        switch name {
        case "low": .low
        case "high": .high
        case "critical": .critical
        default: .normal
        }
    }
}
