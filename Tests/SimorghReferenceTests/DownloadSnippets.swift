// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghTesting
import Testing

@Suite("Reference: downloads", .timeLimit(.minutes(5)))
struct DownloadSnippets {
    /// Runs a test with a server that has a file, and a manager on a temporary folder.
    private static func with(
        _ body: (DownloadManager, URL) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("simorgh-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let manager = try DownloadManager(
                config: DownloadManagerConfig(
                    maxConcurrentDownloads: 3,  // simultaneous active tasks
                    maxQueueSize: 100,  // pending queue cap
                    retryPolicy: DownloadRetryPolicy(
                        maximumAttempts: 3,
                        initialDelay: 1,
                        multiplier: 2,
                        maximumDelay: 30
                    ),
                    allowsCellularAccess: true,
                    downloadDirectory: folder,  // nil on the page; a test leaves nothing behind
                    minFreeDiskSpace: 1024 * 1024,  // 100 MB on the page
                    timeoutInterval: 60,
                    backgroundSessionIdentifier: "com.myapp.downloads"
                ),
                logLevel: .none  // .standard on the page
            )
            try await body(manager, try #require(URL(string: server.url)))
            await manager.close()
        }
    }

    func formatSpeed(_ bytesPerSec: Double) -> String {
        switch bytesPerSec {
        case ..<1024: return String(format: "%.0f B/s", bytesPerSec)
        case ..<(1024 * 1024): return String(format: "%.1f KB/s", bytesPerSec / 1024)
        case ..<(1024 * 1024 * 1024): return String(format: "%.2f MB/s", bytesPerSec / (1024 * 1024))
        default: return String(format: "%.2f GB/s", bytesPerSec / (1024 * 1024 * 1024))
        }
    }

    @Test("A download is observed to its end, and its file exists")
    func download() async throws {
        try await Self.with { manager, base in
            let url = base.appendingPathComponent("bytes/200000")
            let shown = Shown()
            let print = { @Sendable (value: Any) in shown(value) }
            var saved: URL?
            for await progress in try manager.download(url: url, fileName: "video.mp4", priority: .high) {
                if progress.isCompleted {
                    print("Saved: \(progress.localURL!)")
                    saved = progress.localURL
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
            let file = try #require(saved)
            #expect(try Data(contentsOf: file).count == 200_000)
            #expect(file.lastPathComponent.hasPrefix("video.mp4"))
        }
    }

    @Test("Publishers report a queued download")
    func publishers() async throws {
        try await Self.with { manager, base in
            var cancellables = Set<AnyCancellable>()
            let (progresses, states, lists, events) = (Shown(), Shown(), Shown(), Shown())
            // Snapshot
            let all: [DownloadTask] = manager.tasks
            #expect(all.isEmpty)
            // Combine — full list on every change
            manager.tasksPublisher
                .receive(on: DispatchQueue.main)
                .sink { tasks in lists(tasks.count) }
                .store(in: &cancellables)
            // Combine — granular events (progress, state, errors)
            manager.eventsPublisher
                .sink { event in
                    switch event {
                    case .progress(let p): progresses(p.fraction)
                    case .stateChange(_, let state): events(state)
                    case .error(_, let message): events(message)
                    case .added(let task): events("Added \(task.fileName)")
                    case .removed: break
                    }
                }
                .store(in: &cancellables)
            let url = base.appendingPathComponent("bytes/200000")
            let id = try manager.enqueue(url: url, fileName: "video.mp4", priority: .high)
            manager.progressPublisher(for: id)
                .receive(on: DispatchQueue.main)
                .sink { p in progresses("\(Int(p.fraction * 100))% \(p.speed)") }
                .store(in: &cancellables)
            let done = Gate()
            manager.statePublisher(for: id)
                .sink { state in
                    states("State: \(state)")
                    if state == .completed { done.open() }
                }
                .store(in: &cancellables)
            try await done.wait()
            #expect(states.all.last == "State: completed")
            try await events.wait(for: 2)
            #expect(events.all.first == "Added video.mp4")
        }
    }

    @Test("enqueueBatch queues downloads and skips invalid ones, and each can be controlled by its ID")
    func batches() async throws {
        try await Self.with { manager, base in
            // Slow enough to be active when it is paused.
            let file = base.appendingPathComponent("drip").absoluteString + "?duration=600&numbytes=1000&delay=0"
            let urls = try (1...3).map { try #require(URL(string: "\(file)&n=\($0)")) }
            // Same priority for all URLs
            #expect(manager.enqueueBatch(urls, priority: .normal).count == 3)
            let (pdfURL, mp4URL, zipURL) = (urls[0], base.appendingPathComponent("bytes/10"), urls[2])
            // Per-item fileName and priority
            let ids = manager.enqueueBatch([
                (url: pdfURL, fileName: "report.pdf", priority: .high),
                (url: mp4URL, fileName: nil, priority: .normal),
                (url: zipURL, fileName: "archive.zip", priority: .low),
            ])
            // Duplicates and disk-space violations are silently skipped; returns IDs of enqueued tasks.
            #expect(ids.count == 1)
            let id = try #require(manager.tasks.first { $0.url == urls[0] }?.id)
            manager.pause(id: id)  // saves byte offset + resume data to disk
            for await state in manager.states(for: id) where state == .paused { break }
            try manager.resume(id: id)  // restores from resume data (memory or disk)
            manager.cancel(id: id)  // removes file + resume data + task entry
            manager.removeCompleted()  // clears completed tasks from the list
            for await tasks in manager.taskLists where !tasks.contains(where: { $0.id == id }) { break }
        }
    }

    @Test("backgroundSessionIdentifier enables background downloads on Apple platforms")
    func background() {
        // The page creates a manager from it, whose folder would be in the user's documents.
        let config = DownloadManagerConfig(
            backgroundSessionIdentifier: "com.myapp.downloads"
        )
        #expect(config.backgroundSessionIdentifier == "com.myapp.downloads")
    }

    @Test("A download that cannot be queued throws the reason")
    func errors() async throws {
        try await Self.with { manager, base in
            let url = base.appendingPathComponent("drip")
            let shown = Shown()
            let print = { @Sendable (value: Any) in shown(value) }
            for _ in 0..<2 {
                do {
                    let id = try manager.enqueue(url: url)
                    print("Queued \(id)")
                } catch DownloadError.alreadyQueued(let url) {
                    print("Already downloading: \(url)")
                } catch DownloadError.insufficientDiskSpace(let required, let available) {
                    print("Need \(required) bytes free, only \(available) available")
                } catch DownloadError.taskNotFound(let id) {
                    print("No task with id \(id)")
                }
            }
            #expect(shown.all.count == 2)
            #expect(shown.all.last == "Already downloading: \(url)")
            let unknown = UUID()
            #expect(throws: DownloadError.taskNotFound(unknown)) { try manager.resume(id: unknown) }
            // Set by the application delegate, on Apple platforms.
            await MainActor.run {
                manager.backgroundCompletionHandler = {}
                manager.backgroundCompletionHandler = nil
            }
        }
    }
}
