// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The state machine of a download; its events are the user's calls and the results of runs, in any order.
///
/// The files belong to one run at a time: what is requested after a pause waits until the stopped run has ended.
package struct DownloadStateMachine: Sendable, Equatable {
    /// An action to perform; actions are performed in order.
    package enum Action: Sendable, Equatable {
        /// Put the download into the queue.
        case enter
        /// Remove the download from the queue, or free its slot among the running ones.
        case leave
        /// Stop the run.
        case stop
        /// Call ``timerFired(_:)`` with this number after the delay.
        case wake(after: Duration, number: Int)
        /// Call ``spaceBecameAvailable()`` when the disk has free space.
        case watchSpace
        /// Call ``networkBecameAvailable()`` when there is a network that the download may use.
        case watchNetwork
        /// Notify observers.
        case notify
        /// Remove its files and forget it.
        case discard
        /// Forget it; its file stays.
        case forget
    }

    /// The outcome of a run.
    package enum Outcome: Sendable, Equatable {
        case completed
        case stopped
        case failed
        /// Retry after a delay.
        case again(Duration)
        case diskFull
        case offline
    }

    package private(set) var state: DownloadState
    /// True while a run, or an operation that moves the files, has the files.
    package private(set) var isRunning = false
    /// True if the run was asked to stop.
    private var isStopping = false
    /// True if the download returns to the queue when the run has ended.
    private var requeuesAfterRun = false
    private var timer = 0

    package init(_ state: DownloadState = .queued) { self.state = state }

    /// Handles the start of a run.
    package mutating func started() -> [Action] {
        guard state == .queued, !isRunning else { return [.leave] }
        isRunning = true
        return change(to: .downloading)
    }

    /// Lends the files to an operation that is not a transfer, such as moving them.
    ///
    /// End it with ``ended(_:)`` and ``Outcome/stopped``.
    ///
    /// - Returns: True if the operation has the files now. It gets them only if the download is paused or failed and
    ///   its run has ended.
    package mutating func held() -> Bool {
        guard !isRunning, state == .paused || state == .failed else { return false }
        isRunning = true
        return true
    }

    /// Handles a pause by the user.
    package mutating func pause() -> [Action] {
        switch state {
        case .queued, .downloading, .waitingForNetwork, .waitingForSpace:
            timer += 1
            requeuesAfterRun = false
            return change(to: .paused) + halt()
        case .paused, .completed, .failed, .cancelled: return []
        }
    }

    /// Handles a resume or a retry by the user.
    package mutating func resume() -> [Action] {
        switch state {
        case .paused, .failed, .waitingForNetwork, .waitingForSpace:
            timer += 1
            return change(to: .queued) + enter()
        case .queued:
            // A download that waits for its next attempt starts without the rest of the delay.
            timer += 1
            return enter()
        case .downloading, .completed, .cancelled: return []
        }
    }

    /// Stops a run and starts another one, which gets the current settings.
    package mutating func restart() -> [Action] {
        guard state == .downloading else { return [] }
        requeuesAfterRun = true
        return change(to: .queued) + halt()
    }

    /// Handles a cancellation by the user.
    package mutating func cancel() -> [Action] {
        switch state {
        case .cancelled: return []
        case .completed: return [.forget]
        default:
            timer += 1
            requeuesAfterRun = false
            let actions = change(to: .cancelled) + halt()
            return isRunning ? actions : actions + [.discard]
        }
    }

    /// Handles the end of a run; the outcome of a run that was stopped is ignored unless it completed the file.
    package mutating func ended(_ outcome: Outcome) -> [Action] {
        guard isRunning else { return [] }
        isRunning = false
        isStopping = false
        // The run completed the file before it noticed that it was stopped.
        if outcome == .completed, state != .cancelled { return [.leave] + change(to: .completed) }
        if state == .cancelled { return [.leave, .discard] }
        if state != .downloading {
            guard requeuesAfterRun else { return [.leave] }
            requeuesAfterRun = false
            return [.leave, .enter]
        }
        switch outcome {
        case .completed, .stopped: return [.leave] + change(to: .paused)
        case .failed: return [.leave] + change(to: .failed)
        case .again(let delay):
            timer += 1
            return [.leave] + change(to: .queued) + [.wake(after: delay, number: timer)]
        case .diskFull: return [.leave] + change(to: .waitingForSpace) + [.watchSpace]
        case .offline: return [.leave] + change(to: .waitingForNetwork) + [.watchNetwork]
        }
    }

    /// Handles a timer; an outdated timer is ignored.
    package mutating func timerFired(_ number: Int) -> [Action] {
        state == .queued && number == timer ? enter() : []
    }

    /// Handles free space on the disk.
    package mutating func spaceBecameAvailable() -> [Action] {
        state == .waitingForSpace ? change(to: .queued) + enter() : []
    }

    /// Handles an available network.
    package mutating func networkBecameAvailable() -> [Action] {
        state == .waitingForNetwork ? change(to: .queued) + enter() : []
    }

    private mutating func change(to new: DownloadState) -> [Action] {
        guard state != new else { return [] }
        state = new
        return [.notify]
    }

    private mutating func halt() -> [Action] {
        guard isRunning else { return [.leave] }
        guard !isStopping else { return [] }
        isStopping = true
        return [.stop]
    }

    private mutating func enter() -> [Action] {
        guard isRunning else { return [.enter] }
        requeuesAfterRun = true
        return []
    }
}
