// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghDownloads
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20)))
struct DownloadStressTests {
    @Test(
        "2,000 files with random priorities, failures and pauses are all complete at the end",
        arguments: [11, 23, 47] as [UInt64])
    func thousands(seed: UInt64) async throws {
        let place = DownloadTestFolder()
        let count = 2000
        let cap = 8
        let manager = try place.manager(LibraryOrigin.transport(seed: seed)) { config in
            config.maxConcurrentDownloads = cap
            config.maxQueueSize = count
            config.retryPolicy = DownloadRetryPolicy(maximumAttempts: 100, initialDelay: 0.001, maximumDelay: 0.01)
        }
        var random = SeededNumbers(seed)
        let events = manager.taskLists
        let requests = try (0..<count).map { number in
            DownloadRequest(
                url: try #require(URL(string: "https://library.test/\(number)")),
                priority: DownloadPriority.allCases.randomElement(using: &random) ?? .normal)
        }
        let batch = manager.enqueueBatch(requests)
        #expect(batch.ids.count == count && batch.rejected.isEmpty)
        var disturbances = 0
        for await tasks in events {
            #expect(tasks.count { $0.state == .downloading } <= cap)
            let open = tasks.filter { !$0.state.isFinal }
            if open.isEmpty { break }
            // Pauses or reprioritizes a few at a time, and resumes those that were paused or failed.
            for task in tasks where task.state == .paused || task.state == .failed { try manager.resume(id: task.id) }
            for _ in 0..<3 where disturbances < count {
                disturbances += 1
                guard let task = open.randomElement(using: &random) else { continue }
                if Bool.random(using: &random) {
                    manager.pause(id: task.id)
                } else {
                    try manager.setPriority(.allCases.randomElement(using: &random) ?? .low, id: task.id)
                }
            }
        }
        let tasks = manager.tasks
        #expect(tasks.count == count && tasks.allSatisfy { $0.state == .completed })
        for (number, id) in batch.ids.enumerated() {
            let file = try #require(tasks.first { $0.id == id }?.localURL)
            #expect(try Array(Data(contentsOf: file)) == LibraryOrigin.file(number), "file \(number)")
        }
        manager.removeCompleted()
        await place.end(manager)
        #expect(Self.openFiles(below: place.folder.path).isEmpty)
    }

    /// Returns the paths of files below a folder that this process has open.
    static func openFiles(below folder: String) -> [String] {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return numbers.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
            .filter { $0.hasPrefix(folder) }
    }
}
