// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

extension DownloadCore {
    /// How long to wait before the disk is looked at again.
    func spaceDelay(_ id: UUID) -> Duration {
        let waits = state.withLock { $0.entries[id]?.spaceWaits ?? 1 }
        return .seconds(min(300, 5 << min(max(0, waits - 1), 6)))
    }

    /// Whether there is less room than a download still needs.
    func lacksSpace(_ id: UUID) -> Bool {
        guard
            let (entry, reserve) = state.withLock({ state in
                state.entries[id].map { ($0, state.config.minFreeDiskSpace) }
            })
        else { return false }
        let partial = entry.folder.partial(for: entry.request)
        let total = entry.task.totalBytes ?? 0
        // The room that was taken at the beginning is not needed again.
        let taken = max(entry.task.downloadedBytes, min(total, DownloadDisk.allocated(partial)))
        // Only asked: it is taken when the run begins.
        defer { space.needs(id, 0) }
        return space.refusal(for: id, max(1024 * 1024, total - taken), at: partial, reserve: reserve) != nil
    }
}
