// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What a download may do next: calls of the user's, and words of the run that fetches it, in any order.
///
/// The files belong to one run at a time: what comes after a pause waits until the run that was told to stop has ended.
package struct DownloadLife: Sendable, Equatable {
    /// What is to be done, in this order.
    package enum Action: Sendable, Equatable {
        /// Put it in the line.
        case enter
        /// Take it out of the line, or give its place among those who run to another.
        case leave
        /// Tell the run to stop.
        case stop
        /// Come back with ``woke(_:)`` and this number after a time.
        case wake(after: Duration, number: Int)
        /// Come back with ``roomFound()`` when there is room on the disk.
        case watchSpace
        /// Come back with ``networkFound()`` when there is a network that it may use.
        case watchNetwork
        /// Tell whoever observes it.
        case tell
        /// Remove what is there of it, and forget it.
        case discard
        /// Forget it; its file stays.
        case forget
    }

    /// How a run ended.
    package enum Outcome: Sendable, Equatable {
        case completed
        case stopped
        case failed
        /// Again after a time.
        case again(Duration)
        case diskFull
        case offline
    }

    package private(set) var state: DownloadState
    /// Whether a run has the files, or whoever moves them.
    package private(set) var isRunning = false
    /// Whether the run was told to stop.
    private var isStopping = false
    /// Whether it is to be in the line when the run has ended.
    private var goesOn = false
    private var timer = 0

    package init(_ state: DownloadState = .queued) { self.state = state }

    /// Its turn has come.
    package mutating func started() -> [Action] {
        guard state == .queued, !isRunning else { return [.leave] }
        isRunning = true
        return change(to: .downloading)
    }

    /// Somebody who fetches nothing takes the files for a while; ``ended(_:)`` with ``Outcome/stopped`` gives them back.
    ///
    /// - Returns: Whether they are theirs now, as they are of one that is paused or failed, and that no run has any more.
    package mutating func held() -> Bool {
        guard !isRunning, state == .paused || state == .failed else { return false }
        isRunning = true
        return true
    }

    /// Somebody pauses it.
    package mutating func pause() -> [Action] {
        switch state {
        case .queued, .downloading, .waitingForNetwork, .waitingForSpace:
            timer += 1
            goesOn = false
            return change(to: .paused) + halt()
        case .paused, .completed, .failed, .cancelled: return []
        }
    }

    /// Somebody lets it go on, or tries it again.
    package mutating func resume() -> [Action] {
        switch state {
        case .paused, .failed, .waitingForNetwork, .waitingForSpace:
            timer += 1
            return change(to: .queued) + enter()
        case .queued:
            // One that waits for its time need not.
            timer += 1
            return enter()
        case .downloading, .completed, .cancelled: return []
        }
    }

    /// Somebody gives it up.
    package mutating func cancel() -> [Action] {
        switch state {
        case .cancelled: return []
        case .completed: return [.forget]
        default:
            timer += 1
            goesOn = false
            let actions = change(to: .cancelled) + halt()
            return isRunning ? actions : actions + [.discard]
        }
    }

    /// The run has ended: a word that comes late, after it was told to stop, changes nothing but that.
    package mutating func ended(_ outcome: Outcome) -> [Action] {
        guard isRunning else { return [] }
        isRunning = false
        isStopping = false
        // A file that was whole before the run heard of it is whole.
        if outcome == .completed, state != .cancelled { return [.leave] + change(to: .completed) }
        if state == .cancelled { return [.leave, .discard] }
        if state != .downloading {
            guard goesOn else { return [.leave] }
            goesOn = false
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

    /// The time that it waited for has come; an older timer says nothing any more.
    package mutating func woke(_ number: Int) -> [Action] {
        state == .queued && number == timer ? enter() : []
    }

    /// There is room on the disk.
    package mutating func roomFound() -> [Action] {
        state == .waitingForSpace ? change(to: .queued) + enter() : []
    }

    /// There is a network.
    package mutating func networkFound() -> [Action] {
        state == .waitingForNetwork ? change(to: .queued) + enter() : []
    }

    private mutating func change(to new: DownloadState) -> [Action] {
        guard state != new else { return [] }
        state = new
        return [.tell]
    }

    private mutating func halt() -> [Action] {
        guard isRunning else { return [.leave] }
        guard !isStopping else { return [] }
        isStopping = true
        return [.stop]
    }

    private mutating func enter() -> [Action] {
        guard isRunning else { return [.enter] }
        goesOn = true
        return []
    }
}
