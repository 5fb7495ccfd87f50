// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// Something that happened to a download.
public enum DownloadEvent: Sendable, Hashable {
    /// Bytes came.
    case progress(DownloadProgress)
    /// It stands otherwise than before.
    case stateChange(id: UUID, state: DownloadState)
    /// It failed, something was set aside, or how it stands could not be written down, for the reason given in a sentence.
    case error(id: UUID, message: String)
    /// It was put in the queue.
    case added(DownloadTask)
    /// It is in the list no longer.
    case removed(id: UUID)
}
