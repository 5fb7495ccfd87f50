// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// How a download stands.
public enum DownloadState: String, Sendable, Hashable, Codable, CaseIterable {
    /// It waits for its turn, or for the time of the next attempt.
    case queued
    /// Bytes come.
    case downloading
    /// Somebody paused it; what is there is kept.
    case paused
    /// The network is away, or is one that it may not use; it goes on by itself.
    case waitingForNetwork
    /// The disk is full; it goes on by itself when there is room again.
    case waitingForSpace
    /// The file is whole.
    case completed
    /// It cannot go on by itself; what is there is kept, and ``DownloadManager/resume(id:)`` tries again.
    case failed
    /// Somebody gave it up, and nothing of it is left.
    case cancelled

    /// Whether it is over: nothing more happens by itself.
    public var isFinal: Bool { self == .completed || self == .failed || self == .cancelled }
}
