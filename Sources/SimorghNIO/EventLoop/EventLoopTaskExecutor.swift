// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import Synchronization

/// A task executor that runs its jobs on an event loop, between the loop's other work.
///
/// A task on this executor has its connection on its own thread: the request is written at once, and the response
/// resumes the task without waking another thread. After the loop is shut down, jobs run on the global executor: a
/// task that is never resumed would block its waiters forever.
final class EventLoopTaskExecutor: TaskExecutor {
    private struct State: Sendable {
        var jobs: [UnownedJob] = []
        /// The storage of the jobs that have run, to be reused for the next ones.
        var spare: [UnownedJob] = []
        /// True from scheduling ``drain(round:)`` until it finds no more jobs.
        var isScheduled = false
        /// The callback that detects the shutdown of the loop; `nil` before it is registered.
        var watch: NIOScheduledCallback?
        var isWatched = false
        /// True if the loop accepts no more work.
        var hasEnded = false
    }

    /// The queue of jobs, which the watch holds.
    ///
    /// It is a separate object, because a weakly referenced object is reference-counted through a side table, and the
    /// executor is retained and released many times for each job.
    private final class JobQueue: Sendable {
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

    /// Detects the shutdown of a loop: the callback is cancelled, or released at once if the loop had been shut down
    /// before, because such a loop drops its work silently.
    private final class Watch: NIOScheduledCallbackHandler, Sendable {
        private let queue: JobQueue
        private let isOver = Atomic<Bool>(false)

        init(_ queue: JobQueue) { self.queue = queue }

        deinit { report(hasEnded: true) }

        func handleScheduledCallback(eventLoop: some EventLoop) { report(hasEnded: false) }
        func didCancelScheduledCallback(eventLoop: some EventLoop) { report(hasEnded: true) }

        /// Reports the outcome, exactly once.
        private func report(hasEnded: Bool) {
            if !isOver.exchange(true, ordering: .relaxed) { queue.watched(hasEnded: hasEnded) }
        }
    }

    /// The number of rounds of jobs that created further jobs after which the loop may poll its sockets.
    private static let maximumRounds = 64

    let loop: any EventLoop
    /// The index of the loop in its group.
    let eventLoopIndex: Int
    private let queue = JobQueue()
    /// True while a job runs; used on the loop.
    private let running = Atomic<Bool>(false)
    /// True while ``runAndDrainJobs(_:)`` collects the jobs that its work creates; written on the loop.
    private let collecting = Atomic<Bool>(false)
    /// True if such jobs exist; used on the loop.
    private let hasCollected = Atomic<Bool>(false)

    init(_ loop: any EventLoop, eventLoopIndex: Int) {
        self.loop = loop
        self.eventLoopIndex = eventLoopIndex
    }

    deinit { queue.state.withLock { $0.watch }?.cancel() }

    /// True if the loop is running a job of this executor; used on the loop.
    ///
    /// It is false while a channel handler works, even if the handler calls user code, which must not write in the
    /// middle of that work. At the end of that work it may be true, see ``runAndDrainJobs(_:)``.
    var isRunning: Bool { running.load(ordering: .relaxed) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let (isFirst, isWatched, hasEnded) = queue.state.withLock { state -> (Bool, Bool, Bool) in
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

    /// Runs work that may create jobs, then runs these jobs in the same tick of the loop; called on the loop.
    ///
    /// For a handler that delivers received bytes as its last step: the task that waits for them continues at once,
    /// and its own writes need not wait until the loop has polled its sockets.
    func runAndDrainJobs(_ work: () -> Void) {
        // Inside a job or another such call, the outer one runs the new jobs.
        guard !isRunning, !collecting.load(ordering: .relaxed) else { return work() }
        collecting.store(true, ordering: .relaxed)
        work()
        collecting.store(false, ordering: .relaxed)
        guard hasCollected.exchange(false, ordering: .relaxed) else { return }
        drain(round: 0)
    }

    /// Registers the callback that detects the shutdown; renewed each year.
    ///
    /// A loop does not report its shutdown to later work.
    private func watch() {
        do {
            let watch = try loop.scheduleCallback(in: .hours(365 * 24), handler: Watch(queue))
            queue.state.withLock { state in
                if state.isWatched { state.watch = watch }
            }
        } catch {
            queue.watched(hasEnded: true)
        }
    }

    /// Runs the waiting jobs, and the jobs that they create; schedules the rest.
    ///
    /// The first jobs usually create one job: the task that delivers messages has woken the task that waits for them.
    private func drain(round: Int) {
        if runJobs() || runJobs() { return }
        if round < Self.maximumRounds {
            loop.execute { self.drain(round: round + 2) }
        } else {
            // A loop runs all available work before it polls its sockets. Without the delay, a task that polls for
            // input in a cycle would keep that input from arriving.
            loop.scheduleTask(in: .microseconds(50)) { self.drain(round: 0) }
        }
    }

    /// Runs the waiting jobs; jobs that are added meanwhile are for the next round.
    ///
    /// - Returns: True if no job was added.
    private func runJobs() -> Bool {
        var jobs = queue.state.withLock { state -> [UnownedJob] in
            defer { (state.jobs, state.spare) = (state.spare, []) }
            return state.jobs
        }
        running.store(true, ordering: .relaxed)
        for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
        running.store(false, ordering: .relaxed)
        jobs.removeAll(keepingCapacity: jobs.count <= 64)
        return queue.state.withLock { state -> Bool in
            state.spare = jobs
            if state.jobs.isEmpty { state.isScheduled = false }
            return state.jobs.isEmpty
        }
    }
}
