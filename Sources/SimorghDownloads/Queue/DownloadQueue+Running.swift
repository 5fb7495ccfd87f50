// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import SimorghCore
import SimorghSupport
import Synchronization

extension DownloadQueue {
    func progressed(_ id: UUID, report: DownloadAttempt.Report) {
        state.withLock { state in
            guard var entry = state.entries[id], entry.machine.state == .downloading else { return }
            entry.task.downloadedBytes = report.received
            entry.task.totalBytes = report.total
            if report.hasGained, report.received > entry.maximumReceived {
                entry.maximumReceived = report.received
                entry.backoff.gained()
                (entry.refusals, entry.spaceWaits) = (0, 0)
            }
            entry.refresh(
                speed: report.speed, eta: report.eta, connections: report.connections, missing: report.missing)
            state.entries[id] = entry
            hub.notify(entry.progress)
            hub.notify(.progress(entry.progress))
            if state.lastListSignal.elapsed >= .seconds(1) {
                state.lastListSignal = time.stopwatch()
                hub.list.ring()
            }
            let url = entry.source
            hub.later { [log] in
                log(.progress(url: url, bytes: report.received, total: report.total, speed: report.speed))
            }
        }
    }

    func ended(
        _ id: UUID, run number: Int, outcome: Result<DownloadAttempt.Finished, DownloadAttemptError>
    ) async {
        // A drain refuses the requests of downloads before it reaches this queue: such a failure must not be recorded.
        if case .failure = outcome, client.isDraining { park() }
        // Before the check if the manager is closed, as this may take a while.
        let isReachable = await self.isReachable(id, after: outcome)
        if endLate(id, run: number) { return }
        defer { idleSignal.ring() }
        let isChanged = change(id) { entry in
            guard entry.runCount == number else { return [] }
            entry.runTask = nil
            let known = entry.journal.journal
            entry.task.totalBytes = known.entity?.total ?? entry.task.totalBytes
            switch outcome {
            case .success(let finished):
                entry.error = nil
                entry.backoff.gained()
                entry.task.downloadedBytes = finished.size
                entry.task.totalBytes = finished.size
                entry.task.completedAt = time.now
                entry.task.isLengthConfirmed = finished.isConfirmed
                entry.alreadyExisted = finished.alreadyExisted
                entry.task.localURL = URL(filePath: finished.file)
                entry.task.fileName = finished.file.cut(at: "/").last.map(String.init) ?? entry.task.fileName
                return entry.machine.ended(.completed)
            case .failure(let stop):
                entry.task.downloadedBytes = known.recordedRanges.count
                let isForbidden = entry.isNetworkForbidden && stop == .stopped
                return failed(&entry, with: isForbidden ? .offline(offlineError) : stop, isReachable: isReachable)
            }
        }
        // The manager was closed in between.
        if !isChanged { endLate(id, run: number) }
    }

    /// Ends a run, or a hold, of a closed manager.
    ///
    /// Nothing of this is reported or written: the next manager resumes the download.
    ///
    /// - Returns: True if the manager is closed.
    @discardableResult
    func endLate(_ id: UUID, run number: Int) -> Bool {
        let late = state.withLock { state -> (isClosed: Bool, discarded: DownloadEntry?) in
            guard state.isClosed else { return (false, nil) }
            guard var entry = state.entries[id], entry.runCount == number else { return (true, nil) }
            let actions = entry.machine.ended(.stopped)
            state.entries[id] = entry
            return (true, actions.contains(.discard) ? entry : nil)
        }
        if let entry = late.discarded {
            backend?.discard(id)
            disk.async { Self.discard(entry) }
        }
        if late.isClosed { releaseIfIdle() }
        return late.isClosed
    }

    private func failed(
        _ entry: inout DownloadEntry, with stop: DownloadAttemptError, isReachable: Bool
    ) -> [DownloadStateMachine.Action] {
        entry.hint = nil
        switch stop {
        case .stopped: return entry.machine.ended(.stopped)
        case .paused(let error):
            entry.error = error
            return entry.machine.ended(.stopped)
        case .diskFull(let error):
            entry.error = error
            entry.spaceWaits += 1
            return entry.machine.ended(.diskFull)
        case .offline(let error):
            entry.error = error
            // If the network is available anyway, there is nothing to wait for; a backend with its own queue waits by
            // itself, also while the program is suspended.
            if isReachable && !entry.isNetworkForbidden || backend?.hasOwnQueue == true {
                return failed(&entry, with: .again(error, after: nil), isReachable: isReachable)
            }
            return entry.machine.ended(.offline)
        case .changed(let reason):
            entry.error = .entityChanged(reason)
            return entry.machine.ended(.failed)
        case .tinyRanges: return failed(&entry, with: .failed(.tinyRanges), isReachable: isReachable)
        case .failed(let error):
            entry.error = error
            entry.refusals += 1
            guard entry.refusals <= entry.request.mirrors.count, error.mayHaveOtherSource else {
                return entry.machine.ended(.failed)
            }
            entry.mirror += 1
            return entry.machine.ended(.again(.zero))
        case .again(let error, let wanted):
            entry.error = error
            entry.hint = entry.backoff.refusal(of: wanted)
            guard let delay = entry.backoff.failed(wanted: wanted, fraction: random.fraction()) else {
                return entry.machine.ended(.failed)
            }
            let attempt = entry.backoff.attempt
            entry.nextAttempt = time.now.addingTimeInterval(delay / .seconds(1))
            // Another host may have another version, which means starting over, so the first host gets a second
            // attempt.
            if attempt > 1, !entry.request.mirrors.isEmpty { entry.mirror += 1 }
            hub.later { [log, url = entry.source] in
                log(.retry(url: url, attempt: attempt, delay: delay, reason: error.description))
            }
            guard backend?.hasOwnQueue != true else {
                // A suspended program has no timers: the backend waits.
                entry.earliestBegin = entry.nextAttempt
                return entry.machine.ended(.again(.zero))
            }
            return entry.machine.ended(.again(delay))
        }
    }
}

extension Result<DownloadAttempt.Finished, DownloadAttemptError> {
    /// Returns true if the run has left the file that a backend has fetched to the next run.
    func leaves(_ fetched: String) -> Bool {
        switch self {
        case .failure(.stopped), .failure(.diskFull): DownloadFileSystem.exists(fetched)
        default: false
        }
    }
}

extension DownloadError {
    /// True if another source may still provide the file.
    fileprivate var mayHaveOtherSource: Bool {
        switch self {
        case .httpStatus, .emptyResponse, .transport, .entityChanged, .digestMismatch, .sizeMismatch, .encoding: true
        default: false
        }
    }
}
