// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// All that a manager knows of one download.
struct DownloadEntry: Sendable {
    var task: DownloadTask
    /// What was asked for, with its credentials.
    var request: DownloadRequest
    let folder: DownloadFolder
    let journal: JournalFile
    var life: DownloadLife
    var backoff: DownloadBackoff
    /// Its place in the list.
    let order: UInt64
    var progress: DownloadProgress
    var error: DownloadError?
    /// A hint about the error, besides its own message.
    var hint: String?
    /// When it is tried again, where it waits for that.
    var nextAttempt: Date?
    /// True if its file was there before.
    var wasThere = false
    /// What runs for it, and which of its runs that is.
    var run: Task<Void, Never>?
    var runs = 0
    /// Whether the run was stopped because it may not use the network.
    var isBarred = false
    /// What waits for it.
    var timer: Task<Void, Never>?
    /// Which mirror is asked; 0 for the URL itself.
    var mirror = 0
    /// How many of them refused since bytes came.
    var refusals = 0
    /// How many bytes were ever there: only what goes beyond is progress, or one that is cut off again and again would never end.
    var high: Int64 = 0
    /// How often there was no room for it since bytes came.
    var spaceWaits = 0
    /// Where its credentials may go.
    var origin: String

    /// What it stands at, for whoever observes it.
    mutating func refresh(
        speed: Double = 0, eta: Double? = nil, connections: Int = 0, missing: [Range<Int64>]? = nil
    ) {
        task.state = life.state
        task.errorMessage = error.map { $0.description + (hint.map { "; " + $0 } ?? "") }
        task.retryAttempt = backoff.attempt
        if let name = journal.journal.name, task.state != .completed { task.fileName = name }
        var gaps: [Range<Int64>] = []
        if task.state != .completed, let total = task.totalBytes {
            gaps = missing ?? journal.journal.ranges.missing(of: total)
        }
        progress = DownloadProgress(
            taskId: task.id, state: task.state, downloadedBytes: task.downloadedBytes, totalBytes: task.totalBytes,
            speed: speed, eta: eta, connections: connections, missingRanges: gaps, localURL: task.localURL,
            error: error, nextAttempt: task.state == .queued ? nextAttempt : nil)
    }

    /// Where it is fetched from now.
    var source: String {
        let sources = [request.url] + request.mirrors
        return sources[mirror % sources.count]
    }
}
