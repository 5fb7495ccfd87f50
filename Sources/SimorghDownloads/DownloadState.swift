// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The state of a download.
public enum DownloadState: String, Sendable, Hashable, Codable, CaseIterable {
    /// Waits for its turn, or for the time of the next attempt.
    case queued
    /// Receives bytes.
    case downloading
    /// Paused by the caller; the partial file is kept.
    case paused
    /// Waits because there is no network that it may use; it resumes by itself.
    case waitingForNetwork
    /// Waits because the disk is full; it resumes by itself when there is enough space.
    case waitingForSpace
    /// The file is complete.
    case completed
    /// Failed; the partial file is kept, and ``DownloadManager/resume(id:)`` tries again.
    case failed
    /// Cancelled by the caller; its files were removed.
    case cancelled

    /// True if the download has ended: it does not continue by itself.
    public var isFinal: Bool { self == .completed || self == .failed || self == .cancelled }
}
