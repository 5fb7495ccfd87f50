// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import Synchronization

/// Runs the tasks that prefer it on an event loop, between the loop's other work.
///
/// A task that sends from here finds its connection on its own thread: the request is written at once, and the answer
/// resumes the task without waking anybody. When the loop was shut down, they run where others do: a task that is never
/// resumed would keep whoever waits for it for ever.
final class LoopExecutor: TaskExecutor {
    private struct State: Sendable {
        var jobs: [UnownedJob] = []
        /// The memory of jobs that have run, for those that come next.
        var spare: [UnownedJob] = []
        /// Whether ``drain()`` has been asked for and has not run out of jobs.
        var isScheduled = false
        /// What hears of the loop's end; `nil` where nothing does, or not yet.
        var watch: NIOScheduledCallback?
        var isWatched = false
        /// Whether the loop takes nothing any more.
        var hasEnded = false
    }

    /// What waits to be run, apart from the executor, for the watch to hold: an object that is weakly referred to is
    /// counted by way of another one, and this one is counted many times for each job.
    private final class Desk: Sendable {
        let state = Mutex(State())

        func watched(hasEnded: Bool) {
            let jobs = state.withLock { state -> [UnownedJob] in
                (state.watch, state.isWatched) = (nil, false)
                guard hasEnded else { return [] }
                state.hasEnded = true
                defer { state.jobs = [] }
                return state.jobs
            }
            for job in jobs { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
        }
    }

    /// Hears of the end of a loop by being taken off it, or by not being kept at all: a loop that has ended before drops what
    /// it is given, and says nothing.
    private final class Watch: NIOScheduledCallbackHandler, Sendable {
        private let desk: Desk
        private let isOver = Atomic<Bool>(false)

        init(_ desk: Desk) { self.desk = desk }

        deinit { tell(hasEnded: true) }

        func handleScheduledCallback(eventLoop: some EventLoop) { tell(hasEnded: false) }
        func didCancelScheduledCallback(eventLoop: some EventLoop) { tell(hasEnded: true) }

        /// Says so once.
        private func tell(hasEnded: Bool) {
            if !isOver.exchange(true, ordering: .relaxed) { desk.watched(hasEnded: hasEnded) }
        }
    }

    /// After so many rounds of jobs that made others, the loop looks at its sockets.
    private static let mostRounds = 64

    let loop: any EventLoop
    /// The loop's number among those of its group.
    let lane: Int
    private let desk = Desk()
    /// Written and read on the loop.
    private let running = Atomic<Bool>(false)
    /// Whether whoever the loop works for runs the jobs that it makes ready; written on the loop.
    private let collecting = Atomic<Bool>(false)
    /// Whether there are such jobs; written and read on the loop.
    private let hasCollected = Atomic<Bool>(false)

    init(_ loop: any EventLoop, lane: Int) {
        self.loop = loop
        self.lane = lane
    }

    deinit { desk.state.withLock { $0.watch }?.cancel() }

    /// Whether a job of this executor is what the loop does now; asked on the loop.
    ///
    /// It is not while a connection's handler is at work, even if that calls somebody's code, which must not begin to write
    /// in the middle of what the handler does; at the end of that work it may be, see ``runningWhatCameOf(_:)``.
    var isRunning: Bool { running.load(ordering: .relaxed) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let (isFirst, isWatched, hasEnded) = desk.state.withLock { state -> (Bool, Bool, Bool) in
            guard !state.hasEnded else { return (false, true, true) }
            state.jobs.append(job)
            defer { (state.isScheduled, state.isWatched) = (true, true) }
            return (!state.isScheduled, state.isWatched, false)
        }
        if hasEnded { return globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
        if !isWatched { watch() }
        guard isFirst else { return }
        if collecting.load(ordering: .relaxed), loop.inEventLoop {
            hasCollected.store(true, ordering: .relaxed)
        } else {
            loop.execute { self.drain(round: 0) }
        }
    }

    /// Does something that may make jobs ready, and runs them behind it, in the same turn of the loop.
    ///
    /// For a handler that hands on what came, as the last thing that it does: a task that waits for it goes on at once, and
    /// what it sends need not wait for the loop to see to its sockets first. Called on the loop.
    func runningWhatCameOf(_ work: () -> Void) {
        // Within a job, or such work, the jobs are for who is at it.
        guard !isRunning, !collecting.load(ordering: .relaxed) else { return work() }
        collecting.store(true, ordering: .relaxed)
        work()
        collecting.store(false, ordering: .relaxed)
        guard hasCollected.exchange(false, ordering: .relaxed) else { return }
        drain(round: 0)
    }

    /// Has the loop tell when it ends, or in a year to be asked again: it says nothing to who gives it work then.
    private func watch() {
        do {
            let watch = try loop.scheduleCallback(in: .hours(365 * 24), handler: Watch(desk))
            desk.state.withLock { state in
                if state.isWatched { state.watch = watch }
            }
        } catch {
            desk.watched(hasEnded: true)
        }
    }

    /// Runs the jobs that are there, and those that came of them; others are for later.
    ///
    /// What the first ones made is mostly one job: whoever brings messages has woken whoever waits for them.
    private func drain(round: Int) {
        if runJobs() || runJobs() { return }
        if round < Self.mostRounds {
            loop.execute { self.drain(round: round + 2) }
        } else {
            // A loop does all that it can do at once before it looks at its sockets, so who asks again and again whether
            // something has come would keep it from coming.
            loop.scheduleTask(in: .microseconds(50)) { self.drain(round: 0) }
        }
    }

    /// Runs the jobs that are there; those that come meanwhile are for the next round.
    ///
    /// - Returns: Whether none came.
    private func runJobs() -> Bool {
        var jobs = desk.state.withLock { state -> [UnownedJob] in
            defer { (state.jobs, state.spare) = (state.spare, []) }
            return state.jobs
        }
        running.store(true, ordering: .relaxed)
        for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
        running.store(false, ordering: .relaxed)
        jobs.removeAll(keepingCapacity: jobs.count <= 64)
        return desk.state.withLock { state -> Bool in
            state.spare = jobs
            if state.jobs.isEmpty { state.isScheduled = false }
            return state.jobs.isEmpty
        }
    }
}
