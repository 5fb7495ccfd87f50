// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// The progress of a download.
public struct DownloadProgress: Sendable, Hashable {
    /// The identifier of the download.
    public let taskId: UUID
    /// The state of the download.
    public let state: DownloadState
    /// The number of bytes downloaded so far, including those of earlier runs.
    public let downloadedBytes: Int64
    /// The length of the complete file, in bytes; `nil` if unknown.
    public let totalBytes: Int64?
    /// The speed over the last three seconds, in bytes per second; zero if no bytes arrive.
    public let speed: Double
    /// The estimated time to completion, in seconds; `nil` if it cannot be estimated.
    public let eta: Double?
    /// The number of connections that fetch the file.
    public let connections: Int
    /// The missing byte ranges of the file, in order.
    ///
    /// Two ranges may be adjacent if two connections fetch them. Empty if the length is unknown or if no byte is
    /// missing.
    public let missingRanges: [Range<Int64>]
    /// The location of the complete file; `nil` until then.
    public let localURL: URL?
    /// The reason for the failure or the wait.
    public let error: DownloadError?
    /// The time of the next attempt, if the download waits for one after a failure or on the server's request.
    public let nextAttempt: Date?

    package init(
        taskId: UUID, state: DownloadState, downloadedBytes: Int64, totalBytes: Int64?, speed: Double = 0,
        eta: Double? = nil, connections: Int = 0, missingRanges: [Range<Int64>] = [], localURL: URL? = nil,
        error: DownloadError? = nil, nextAttempt: Date? = nil
    ) {
        self.taskId = taskId
        self.state = state
        self.downloadedBytes = downloadedBytes
        self.totalBytes = totalBytes
        self.speed = speed
        self.eta = eta
        self.connections = connections
        self.missingRanges = missingRanges
        self.localURL = localURL
        self.error = error
        self.nextAttempt = nextAttempt
    }

    /// The completed fraction, from 0 to 1; `nil` if the length is unknown, unless the file is complete.
    public var knownFraction: Double? {
        if state == .completed { return 1 }
        guard let totalBytes, totalBytes > 0 else { return nil }
        return min(1, max(0, Double(downloadedBytes) / Double(totalBytes)))
    }

    /// The completed fraction, from 0 to 1; 0 if ``isIndeterminate``, never NaN.
    public var fraction: Double { knownFraction ?? 0 }
    /// True if the completed fraction is unknown.
    public var isIndeterminate: Bool { knownFraction == nil }
    /// True if the file is complete.
    public var isCompleted: Bool { state == .completed }
    /// True if the download failed or was cancelled.
    public var isFailed: Bool { state == .failed || state == .cancelled }
}
