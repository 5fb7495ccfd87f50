// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// How far a download has come.
public struct DownloadProgress: Sendable, Hashable {
    /// Which download it is.
    public let taskId: UUID
    /// How it stands.
    public let state: DownloadState
    /// How many bytes are there, those of earlier runs with them.
    public let downloadedBytes: Int64
    /// The length of the whole in bytes; `nil` where nobody knows.
    public let totalBytes: Int64?
    /// Bytes a second, over the last three; zero when nothing comes.
    public let speed: Double
    /// The seconds until the last byte is here; `nil` where that would be a guess.
    public let eta: Double?
    /// How many connections fetch it.
    public let connections: Int
    /// Which bytes of the whole are missing, in their order: what lies between is there.
    ///
    /// Two of them may touch, where two connections fetch them. Empty where the length is not known, and where nothing is
    /// missing.
    public let missingRanges: [Range<Int64>]
    /// The whole file, once it is.
    public let localURL: URL?
    /// Why it failed, or what it waits for.
    public let error: DownloadError?
    /// When it is tried again, where it waits for that: after a failure, or because the server asked for it.
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

    /// How much is there, from 0 to 1; `nil` where the length is not known, unless the file is whole.
    public var knownFraction: Double? {
        if state == .completed { return 1 }
        guard let totalBytes, totalBytes > 0 else { return nil }
        return min(1, max(0, Double(downloadedBytes) / Double(totalBytes)))
    }

    /// How much is there, from 0 to 1; 0 where ``isIndeterminate``, never NaN.
    public var fraction: Double { knownFraction ?? 0 }
    /// Whether nobody knows how much there is.
    public var isIndeterminate: Bool { knownFraction == nil }
    /// Whether the file is whole.
    public var isCompleted: Bool { state == .completed }
    /// Whether it failed, or was cancelled.
    public var isFailed: Bool { state == .failed || state == .cancelled }
}
