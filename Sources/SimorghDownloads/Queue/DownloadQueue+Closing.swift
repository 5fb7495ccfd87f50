// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import SimorghSupport
import Synchronization

extension DownloadQueue {
    /// Stops all runs; the next manager of the folder resumes them.
    ///
    /// Transfers of a background session continue.
    package func close() {
        backend?.close()
        let (runs, timers) = state.withLock { state in
            state.isClosed = true
            return (state.entries.values.compactMap(\.runTask), state.entries.values.compactMap(\.timer))
        }
        for task in runs + timers { task.cancel() }
        hub.close()
        releaseIfIdle()
    }

    /// Releases the folder once nothing runs any more, after all pending writes.
    func releaseIfIdle() {
        guard state.withLock({ $0.isClosed && !$0.isBusy }) else { return }
        hub.later { [lock, idleSignal, isReleased, disk, removesFolder] in
            disk.async {
                lock.release(removingFolder: removesFolder.isSet)
                isReleased.set()
                idleSignal.ring()
            }
        }
    }

    /// True if other processes may have downloads in the folder.
    var isShared: Bool { lock.isShared }

    /// Returns true if a URL may be downloaded here; false if another process that shares the folder owns it.
    package func ownsURL(_ url: String) -> Bool { lock.owns(url) }

    /// Waits until nothing runs any more, and after ``close()`` also until the folder is released.
    ///
    /// A cancelled task waits as well: if the process ended earlier, a partly removed download would remain.
    package func settled() async { await Task { await untilSettled() }.value }

    private func untilSettled() async {
        while true {
            let count = idleSignal.count
            let (isBusy, isClosed) = state.withLock { ($0.isBusy, $0.isClosed) }
            guard isBusy || isClosed && !isReleased.isSet else { return }
            guard (try? await idleSignal.wait(after: count)) != nil else { return }
        }
    }
}

extension DownloadQueue: DrainMember {
    package func beginDrain() -> Int {
        park()
        return state.withLock { $0.parkedCount }
    }

    /// Closes the queue for a drain, so that the next manager of the folder resumes its downloads.
    func park() {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.parkedCount = state.entries.values.count { !$0.machine.state.isFinal }
        }
        close()
    }

    package func drained() async { await settled() }

    /// Does nothing more: journals record each part of a file as it is written, so an end of the process loses nothing.
    package func endImmediately() -> Bool { false }
}
