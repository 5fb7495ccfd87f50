// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// A download as it stood when it was asked for.
public struct DownloadTask: Sendable, Hashable, Codable, Identifiable {
    /// Names it, also after a restart of the program.
    public let id: UUID
    /// Where it is fetched from.
    public internal(set) var url: URL
    /// What the file is called; a guess by the URL until the server has answered.
    public internal(set) var fileName: String
    /// How soon its turn comes.
    public internal(set) var priority: DownloadPriority
    /// How it stands.
    public internal(set) var state: DownloadState
    /// The length of the whole in bytes; `nil` where nobody knows.
    public internal(set) var totalBytes: Int64?
    /// How many bytes are there.
    public internal(set) var downloadedBytes: Int64
    /// When it was asked for.
    public let createdAt: Date
    /// When the file was whole.
    public internal(set) var completedAt: Date?
    /// The whole file.
    public internal(set) var localURL: URL?
    /// Whether the file is known to be whole, by its length, the end of its body, or a hash.
    ///
    /// It is not where a body just ends with its connection, as old servers' do, and the server does not tell the length when
    /// it is asked for.
    public internal(set) var isLengthConfirmed = true
    /// Why it failed, or what it waits for, in a sentence.
    public internal(set) var errorMessage: String?
    /// How often it was tried again since a byte came.
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
