// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Simorgh

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A line for each file that is on its way, and one for all; nothing but the ends where there is no terminal, and for
/// programs an object for each step.
struct DownloadBoard: Sendable {
    private let output: ConsoleQueue
    /// Where each step goes in place of the board.
    private let lines: DownloadLines?
    /// Whether there is somebody to look at the board.
    private let isShown: Bool

    init(console: Console, isJSON: Bool = false) {
        output = ConsoleQueue(console)
        lines = isJSON ? DownloadLines(output) : nil
        isShown = !isJSON && console.error.isTerminal
    }

    /// Shows downloads until all are over.
    ///
    /// - Parameters:
    ///   - ids: The downloads.
    ///   - manager: Their manager.
    /// - Returns: How each ended, in their order; fewer when the task was cancelled.
    func follow(_ ids: [UUID], of manager: DownloadManager) async -> [DownloadProgress] {
        guard !ids.isEmpty else { return [] }
        return await withTaskGroup(of: DownloadProgress?.self) { group in
            for id in ids {
                group.addTask {
                    var last: DownloadProgress?
                    for await progress in manager.progress(for: id) {
                        last = progress
                        await lines?.tell(progress, manager.core.task(id))
                        // Whoever made room, or found a network, lets another run go on.
                        if [.waitingForSpace, .waitingForNetwork, .paused].contains(progress.state) { break }
                    }
                    return last
                }
            }
            if isShown {
                group.addTask {
                    await draw(ids, of: manager)
                    return nil
                }
            }
            var ends: [UUID: DownloadProgress] = [:]
            for await end in group {
                guard let end else { continue }
                ends[end.taskId] = end
                // Between the lines of a terminal it would be overwritten.
                if !isShown { await tell(end) }
                if ends.count == ids.count { break }
            }
            group.cancelAll()
            await group.waitForAll()
            let ordered = ids.compactMap { ends[$0] }
            if isShown { for end in ordered { await tell(end) } }
            return ordered
        }
    }

    /// Says where a file is.
    private func tell(_ end: DownloadProgress) async {
        guard lines == nil, end.isCompleted, let file = end.localURL?.path else { return }
        try? await output.say(DisplayText.oneLine(file))
    }

    private func draw(_ ids: [UUID], of manager: DownloadManager) async {
        var height = 0
        var progress: [UUID: DownloadProgress] = [:]
        var next = ContinuousClock.now
        let ids = Set(ids)
        for await event in manager.events {
            guard case .progress(let new) = event else { continue }
            progress[new.taskId] = new
            guard ContinuousClock.now >= next else { continue }
            next = .now + .milliseconds(200)
            let tasks = manager.tasks.filter { ids.contains($0.id) }
            let running = tasks.filter { $0.state == .downloading }
            var lines = running.prefix(20).compactMap { task in
                progress[task.id].map { Self.line(task.fileName, $0) }
            }
            lines.append(Self.total(tasks, running.compactMap { progress[$0.id] }))
            let up = height > 0 ? "\u{1B}[\(height)A" : ""
            let text = up + "\r\u{1B}[J" + lines.map { $0 + "\n" }.joined()
            height = lines.count
            try? await output.write { console throws(OutputFailure) in try console.error.write(text) }
        }
    }

    /// One file: `film.mp4  42%  4.2 MiB of 10.0 MiB, 1.0 MiB/s, 6 s left, 4 connections`.
    static func line(_ name: String, _ progress: DownloadProgress) -> String {
        let percent = progress.knownFraction.map { "\(Int($0 * 100))%" } ?? "?"
        let total = progress.totalBytes.map { " of \(DisplayText.bytes(Double($0)))" } ?? ""
        let eta = progress.eta.map { ", \(Int($0.rounded(.up))) s left" } ?? ""
        let connections = progress.connections > 1 ? ", \(progress.connections) connections" : ""
        let shown = DisplayText.oneLine(String(name.prefix(40)))
        return "\(shown)  \(percent)  \(DisplayText.bytes(Double(progress.downloadedBytes)))\(total), "
            + "\(DisplayText.bytes(progress.speed))/s\(eta)\(connections)"
    }

    /// All files: `2 of 5 files, 3.1 MiB/s, 12 s left, 8 connections`.
    static func total(_ tasks: [DownloadTask], _ running: [DownloadProgress]) -> String {
        let done = tasks.count { $0.state == .completed }
        let speed = running.reduce(0) { $0 + $1.speed }
        let eta = running.compactMap(\.eta).max().map { ", \(Int($0.rounded(.up))) s left" } ?? ""
        let count = running.reduce(0) { $0 + $1.connections }
        let connections = count > 1 ? ", \(count) connections" : ""
        return "\(done) of \(tasks.count) files, \(DisplayText.bytes(speed))/s\(eta)\(connections)"
    }
}
