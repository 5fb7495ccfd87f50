// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// An event of a download.
public enum DownloadEvent: Sendable, Hashable {
    /// Bytes were received.
    case progress(DownloadProgress)
    /// The state of the download changed.
    case stateChange(id: UUID, state: DownloadState)
    /// The download failed, a file was set aside, or the state could not be saved; `message` says why.
    case error(id: UUID, message: String)
    /// The download was enqueued.
    case added(DownloadTask)
    /// The download was removed from the list.
    case removed(id: UUID)
}
