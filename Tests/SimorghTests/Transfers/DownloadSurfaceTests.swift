// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import Synchronization
import TestSupport
import Testing

/// The examples of the documentation that the API names come from, verbatim.
@Suite(.timeLimit(.minutes(5)))
struct DownloadSurfaceTests {
    private func formatSpeed(_ bytesPerSec: Double) -> String {
        switch bytesPerSec {
        case ..<1024: return String(format: "%.0f B/s", bytesPerSec)
        default: return String(format: "%.1f KB/s", bytesPerSec / 1024)
        }
    }

    @MainActor private func manager(
        _ folder: URL, _ completionHandler: @escaping () -> Void
    ) throws -> DownloadManager {
        let manager = try DownloadManager(
            config: DownloadManagerConfig(
                maxConcurrentDownloads: 3,
                maxQueueSize: 100,
                retryPolicy: DownloadRetryPolicy(
                    maximumAttempts: 3,
                    initialDelay: 1,
                    multiplier: 2,
                    maximumDelay: 30
                ),
                allowsCellularAccess: true,
                downloadDirectory: folder,
                minFreeDiskSpace: 1024,
                timeoutInterval: 60,
                backgroundSessionIdentifier: "com.myapp.downloads"
            ),
            logLevel: .standard
        )
        manager.backgroundCompletionHandler = completionHandler
        return manager
    }

    /// Returns the id of a missing task, using the errors that the documentation distinguishes.
    private func missing(_ manager: DownloadManager, _ id: UUID) throws -> UUID? {
        do {
            try manager.resume(id: id)
        } catch DownloadError.alreadyQueued(let url) {
            Issue.record("Already downloading: \(url)")
        } catch DownloadError.insufficientDiskSpace(let required, let available) {
            Issue.record("Need \(required) bytes free, only \(available) available")
        } catch DownloadError.taskNotFound(let missing) {
            return missing
        }
        return nil
    }

    @Test("The documented examples of a download, its publishers and its errors work")
    func snippets() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "surface-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let manager = try await manager(folder) {}
        let url = try #require(URL(string: try Witness.nginx.url + "/1m"))
        let seen = Mutex<[String]>([])
        var cancellables = Set<AnyCancellable>()
        manager.tasksPublisher
            .receive(on: DispatchQueue.global())
            .sink { tasks in seen.withLock { $0.append("\(tasks.count) tasks") } }
            .store(in: &cancellables)
        manager.eventsPublisher
            .sink { event in
                let text: String? =
                    switch event {
                    case .progress(let p): formatSpeed(p.speed)
                    case .stateChange(_, let state): "\(state)"
                    case .error(_, let message): message
                    case .added(let task): "Added \(task.fileName)"
                    case .removed: nil
                    }
                seen.withLock { $0.append(text ?? "") }
            }
            .store(in: &cancellables)
        for await progress in try manager.download(url: url, fileName: "video.mp4", priority: .high) {
            if progress.isCompleted {
                #expect(progress.localURL?.lastPathComponent == "video.mp4")
                break
            }
            if progress.isIndeterminate {
                print("Downloading… \(formatSpeed(progress.speed))")
            } else {
                print(
                    "\(Int(progress.fraction * 100))% \(formatSpeed(progress.speed)) ETA \(progress.eta.map { "\(Int($0))s" } ?? "?")"
                )
            }
        }
        let id = try manager.enqueue(url: url, fileName: "again.mp4", priority: .high)
        manager.progressPublisher(for: id)
            .receive(on: DispatchQueue.global())
            .sink { p in seen.withLock { $0.append("\(Int(p.fraction * 100))% \(formatSpeed(p.speed))") } }
            .store(in: &cancellables)
        manager.statePublisher(for: id)
            .sink { state in seen.withLock { $0.append("State: \(state)") } }
            .store(in: &cancellables)
        _ = await manager.progress(for: id).reduce(into: 0) { count, _ in count += 1 }
        let all: [DownloadTask] = manager.tasks
        #expect(all.count == 2 && all.allSatisfy { $0.state == .completed })
        manager.enqueueBatch([url], priority: .normal)
        manager.enqueueBatch([
            (url: url, fileName: "report.pdf", priority: .high),
            (url: url, fileName: nil, priority: .low),
        ])
        manager.pause(id: id)
        try manager.resume(id: id)
        manager.removeCompleted()
        #expect(try missing(manager, id) == id)
        // Events arrive on another queue, which may be late.
        try await eventually { seen.withLock { $0.contains("Added video.mp4") } }
        await manager.close()
    }
}
