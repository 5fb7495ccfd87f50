// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

extension DownloadQueue {
    /// Returns the delay before free disk space is checked again.
    func spaceDelay(_ id: UUID) -> Duration {
        let waits = state.withLock { $0.entries[id]?.spaceWaits ?? 1 }
        return .seconds(min(300, 5 << min(max(0, waits - 1), 6)))
    }

    /// Returns true if the disk has less free space than a download still needs.
    func lacksSpace(_ id: UUID) -> Bool {
        guard
            let (entry, reserve) = state.withLock({ state in
                state.entries[id].map { ($0, state.config.minFreeDiskSpace) }
            })
        else { return false }
        let partial = entry.folder.partial(for: entry.request)
        let total = entry.task.totalBytes ?? 0
        // Space that was preallocated is not needed again.
        let taken = max(entry.task.downloadedBytes, min(total, DownloadFileSystem.allocated(partial)))
        // Only a check: the run reserves the space when it starts.
        defer { space.updateNeed(of: id, to: 0) }
        return space.refusal(for: id, bytes: max(1024 * 1024, total - taken), at: partial, reserve: reserve) != nil
    }
}
