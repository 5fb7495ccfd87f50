// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The state of one download in a manager.
struct DownloadEntry: Sendable {
    var task: DownloadTask
    /// The request, with its credentials.
    var request: DownloadRequest
    let folder: DownloadFolder
    let journal: JournalFile
    var machine: DownloadStateMachine
    var backoff: DownloadBackoff
    /// The number that orders the list.
    let order: UInt64
    var progress: DownloadProgress
    var error: DownloadError?
    /// A hint about the error, in addition to its own message.
    var hint: String?
    /// The time of the next attempt, if the download waits for one.
    var nextAttempt: Date?
    /// The earliest time at which a backend with a queue of its own may begin the next attempt.
    var earliestBegin: Date?
    /// True if it was restored after a restart to continue by itself, and the user has not resumed it since.
    var isRestored = false
    /// True if its file existed before.
    var alreadyExisted = false
    /// The task of the current run.
    var runTask: Task<Void, Never>?
    /// The number of runs so far, which identifies the current one.
    var runCount = 0
    /// True if the run was stopped because the network is not allowed.
    var isNetworkForbidden = false
    /// The task that waits for the next attempt, free space or a network.
    var timer: Task<Void, Never>?
    /// The index of the current source: 0 for the URL itself, then the mirrors.
    var mirror = 0
    /// The number of sources that failed since bytes were received.
    var refusals = 0
    /// The largest number of bytes ever received.
    ///
    /// Only bytes beyond it count as progress; otherwise a transfer that is cut off repeatedly would be retried
    /// forever.
    var maximumReceived: Int64 = 0
    /// The number of times that it lacked disk space since bytes were received.
    var spaceWaits = 0
    /// The origin to which its credentials may be sent.
    var origin: String

    /// Updates the snapshots for observers.
    mutating func refresh(
        speed: Double = 0, eta: Double? = nil, connections: Int = 0, missing: [Range<Int64>]? = nil
    ) {
        task.state = machine.state
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

    /// The URL that is fetched now.
    var source: String {
        let sources = [request.url] + request.mirrors
        return sources[mirror % sources.count]
    }
}
