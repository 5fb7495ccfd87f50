// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// A snapshot of a download.
public struct DownloadTask: Sendable, Hashable, Codable, Identifiable {
    /// The identifier of the download; it stays the same after a restart of the program.
    public let id: UUID
    /// The URL to fetch.
    public internal(set) var url: URL
    /// The name of the file; guessed from the URL until the server has responded.
    public internal(set) var fileName: String
    /// The priority among waiting downloads.
    public internal(set) var priority: DownloadPriority
    /// The state of the download.
    public internal(set) var state: DownloadState
    /// The length of the complete file, in bytes; `nil` if unknown.
    public internal(set) var totalBytes: Int64?
    /// The number of bytes downloaded so far.
    public internal(set) var downloadedBytes: Int64
    /// The time at which the download was enqueued.
    public let createdAt: Date
    /// The time at which the file was complete.
    public internal(set) var completedAt: Date?
    /// The location of the complete file; `nil` until then.
    public internal(set) var localURL: URL?
    /// A Boolean value that indicates whether the file is known to be complete.
    ///
    /// The length, the end of the body or a hash confirm that. This is false if the body simply ended with its
    /// connection, as with old servers, and the server does not report the length on request either.
    public internal(set) var isLengthConfirmed = true
    /// The reason for the failure or the wait, as a sentence.
    public internal(set) var errorMessage: String?
    /// The number of retries since the last byte was received.
    public internal(set) var retryAttempt: Int

    package init(id: UUID, url: URL, fileName: String, priority: DownloadPriority, createdAt: Date) {
        self.id = id
        self.url = url
        self.fileName = fileName
        self.priority = priority
        self.createdAt = createdAt
        state = .queued
        downloadedBytes = 0
        retryAttempt = 0
    }
}
