// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Decides what happens to the transfers of a background session: which task serves a call, which file belongs to
/// which transfer, and when the system may suspend the program again.
///
/// A value without I/O: ``BackgroundTransfers`` reports events, one at a time, and performs the actions in order. Tasks
/// survive the process, calls do not; so every event may come without a call, and every call without a task.
package struct BackgroundTransferStateMachine: Sendable {
    private struct Waiter: Sendable, Equatable {
        var call: Int
        var url: String
        /// The properties of the request that a task cannot change.
        var key: String?
        var isRestored: Bool
        /// True if its task ended without a result once and was created again.
        var isRestarted = false
    }

    private struct Transfer: Sendable, Equatable {
        var phase = Phase.idle
        var waiter: Waiter?
        /// The reason for which the system cancelled the transfer; the next call gets it.
        var notice: BackgroundTransferError?
        /// True if its call was cancelled before the tasks were listed.
        var isUnwanted = false
        var isDiscarded = false
    }

    /// The key of the trust of the session, which does not continue tasks of another key.
    private let trustKey: String?
    private var transfers: [UUID: Transfer] = [:]
    private var isListed = false
    private var isInvalid = false
    /// Calls that were cancelled before they were made; true if the transfer continues without them.
    private var cancelledCalls: [Int: Bool] = [:]
    /// Tasks that ended before the list arrived, which may show them.
    private var endedEarly: Set<Int> = []
    /// Tasks that were replaced, or whose transfers were discarded, and whose end is still to come.
    private var discardedTasks: Set<Int> = []
    /// Transfers whose response was taken: a late response of a replaced task is not used.
    private var settledTransfers: Set<UUID> = []
    /// The largest number of elements of ``settledTransfers``.
    private static let maximumSettled = 4096
    /// Transfers whose response was kept since the last delivery and not settled by their callers yet.
    private var unsettled: Set<UUID> = []
    /// Transfers whose response a call has, until the caller settles it.
    private var handedOver: Set<UUID> = []
    private var isDelivered = false
    /// The number of deliveries.
    private var deliveries = 0
    /// Tasks that were asked for resume data, with their transfers, until the data come or the transfer is discarded.
    private var stops: [Int: UUID] = [:]

    package init(trustKey: String? = nil) { self.trustKey = trustKey }

    /// True if nothing is known, so that nothing leaks.
    package var isEmpty: Bool {
        transfers.isEmpty && cancelledCalls.isEmpty && endedEarly.isEmpty && discardedTasks.isEmpty
            && unsettled.isEmpty && handedOver.isEmpty
    }

    /// The transfer's current task; `nil` if it has none.
    package func task(of id: UUID) -> BackgroundSessionTask? { transfers[id]?.phase.task }

    /// The call that waits for a transfer; `nil` if none does.
    package func call(for id: UUID) -> Int? { transfers[id]?.waiter?.call }

    /// Handles an event.
    ///
    /// - Parameter event: The event.
    /// - Returns: The actions to perform, in order.
    package mutating func handle(_ event: Event) -> [Action] {
        let actions = self.actions(for: event)
        for case .stop(let task) in actions { stops[task.number] = task.id }
        return actions
    }

    private mutating func actions(for event: Event) -> [Action] {
        switch event {
        case .listed(let tasks): return listed(tasks)
        case .requested(let id, let call, let url, let key, let isKept, let isRestored):
            let waiter = Waiter(call: call, url: url, key: key, isRestored: isRestored)
            return requested(id, waiter: waiter, isKept: isKept)
        case .abandoned(let id, let call, let continues): return abandoned(id, call: call, continues: continues)
        case .paused(let id): return paused(id)
        case .discarded(let id): return discarded(id)
        case .started(let task):
            return update(task.id) { transfer in
                transfer.phase = .running(task)
                return []
            }
        case .arrived(let task): return task.trustKey == trustKey ? arrived(task) : [.drop]
        case .kept(let task, let error): return kept(task, error: error)
        case .stopped(let task, let hasResumeData): return stopped(task, hasResumeData: hasResumeData)
        case .ended(let task, let error, let hasResumeData):
            guard task.trustKey == trustKey else { return [] }
            return ended(task, error: error, hasResumeData: hasResumeData)
        case .waited(let task): return waited(task)
        case .settled(let id): return settled(id)
        case .delivered:
            // An earlier delivery that is not told yet is told with this one, and not later than without it.
            guard !isDelivered else { return [] }
            isDelivered = true
            deliveries += 1
            return tellIfSettled() ?? [.waitToTell(delivery: deliveries)]
        case .waitedToTell(let delivery):
            guard isDelivered, delivery == deliveries else { return [] }
            (isDelivered, unsettled) = (false, [])
            return [.tell]
        case .invalidated: return invalidated()
        }
    }

    private mutating func update(_ id: UUID, body: (inout Transfer) -> [Action]) -> [Action] {
        var transfer = transfers[id, default: Transfer()]
        let actions = body(&transfer)
        transfers[id] = transfer == Transfer() ? nil : transfer
        return actions
    }

    // MARK: Calls

    private mutating func requested(_ id: UUID, waiter: Waiter, isKept: Bool) -> [Action] {
        if let continues = cancelledCalls.removeValue(forKey: waiter.call) {
            return [.finish(call: waiter.call, .failed(.cancelled))] + (continues ? [] : paused(id))
        }
        guard !isInvalid else { return [.finish(call: waiter.call, .failed(.invalidated))] }
        settledTransfers.remove(id)
        if isKept { handedOver.insert(id) } else { handedOver.remove(id) }
        let isListed = isListed
        return update(id) { transfer in
            // A second manager of the session takes over.
            var actions = transfer.waiter.map { [Action.finish(call: $0.call, .failed(.cancelled))] } ?? []
            transfer.isUnwanted = false
            // A user who resumes the transfer has seen it paused.
            transfer.notice = isKept || !waiter.isRestored ? nil : transfer.notice
            transfer.waiter = isKept ? nil : waiter
            guard isKept else { return actions + Self.serve(id, in: &transfer, isListed: isListed) }
            actions.append(.finish(call: waiter.call, .kept))
            return actions
        }
    }

    /// Finds or creates the task for the waiting call.
    private static func serve(_ id: UUID, in transfer: inout Transfer, isListed: Bool) -> [Action] {
        guard let waiter = transfer.waiter else { return [] }
        if let notice = transfer.notice.take() {
            transfer.waiter = nil
            return [.finish(call: waiter.call, .failed(notice))]
        }
        // An unknown task may be running.
        guard isListed else { return [] }
        switch transfer.phase {
        case .idle: return [.start(id, call: waiter.call)]
        case .running(let task):
            guard !fits(task, waiter) else { return [] }
            transfer.phase = .idle
            return [.cancel(task), .start(id, call: waiter.call)]
        case .suspended(let task):
            guard fits(task, waiter) else {
                transfer.phase = .idle
                return [.cancel(task), .start(id, call: waiter.call)]
            }
            transfer.phase = .running(task)
            return [.resume(task)]
        // The next callback decides.
        case .ending(let task), .stopping(let task): return [.wait(task)]
        }
    }

    /// Returns true if a task sends the request of a call; its credentials may differ, because a restart forgets them.
    private static func fits(_ task: BackgroundSessionTask, _ waiter: Waiter) -> Bool {
        task.hasURL(waiter.url) && (task.key == nil || waiter.key == nil || task.key == waiter.key)
    }

    private mutating func abandoned(_ id: UUID, call: Int, continues: Bool) -> [Action] {
        guard transfers[id]?.waiter?.call == call else {
            cancelledCalls[call] = continues
            return []
        }
        let actions = update(id) { transfer in
            transfer.waiter = nil
            return [.finish(call: call, .failed(.cancelled))]
        }
        return continues ? actions : actions + paused(id)
    }

    private mutating func paused(_ id: UUID) -> [Action] {
        let isListed = isListed
        return update(id) { transfer in
            guard transfer.waiter == nil else { return [] }
            transfer.isUnwanted = !isListed
            switch transfer.phase {
            case .running(let task), .suspended(let task):
                transfer.phase = .stopping(task)
                return [.stop(task)]
            case .idle, .ending, .stopping: return []
            }
        }
    }

    /// Forgets a cancelled call that ended before its cancellation was reported.
    package mutating func forget(call: Int) { cancelledCalls[call] = nil }

    private mutating func discarded(_ id: UUID) -> [Action] {
        unsettled.remove(id)
        handedOver.remove(id)
        if let task = transfers[id]?.phase.task { discardedTasks.insert(task.number) }
        // Resume data that come later would remain, with the credentials of the request.
        stops = stops.filter { $0.value != id }
        let isListed = isListed
        let actions = update(id) { transfer in
            let waiter = transfer.waiter
            let task = transfer.phase.task
            transfer = Transfer()
            // Tasks that are not known yet.
            transfer.isDiscarded = !isListed
            return (waiter.map { [.finish(call: $0.call, .failed(.cancelled))] } ?? [])
                + (task.map { [.cancel($0)] } ?? []) + [.remove(id)]
        }
        return actions + (tellIfSettled() ?? [])
    }

    private mutating func settled(_ id: UUID) -> [Action] {
        unsettled.remove(id)
        // A response that no call has got yet stays.
        guard handedOver.remove(id) != nil else { return tellIfSettled() ?? [] }
        if settledTransfers.count >= Self.maximumSettled { settledTransfers = [] }
        settledTransfers.insert(id)
        return [.removeResponse(id)] + (tellIfSettled() ?? [])
    }

    private mutating func tellIfSettled() -> [Action]? {
        guard isDelivered, unsettled.isEmpty else { return isDelivered ? nil : [] }
        isDelivered = false
        return [.tell]
    }

    // MARK: The session

    private mutating func listed(_ tasks: [BackgroundSessionTask]) -> [Action] {
        guard !isListed, !isInvalid else { return [] }
        isListed = true
        let foreign = tasks.filter { $0.trustKey != trustKey }
        var actions = foreign.filter { $0.state != .completed }.map(Action.cancel)
        // The most useful task of a transfer first.
        for task in tasks.filter({ $0.trustKey == trustKey }).sorted(by: {
            ($0.state.rank, $0.number) < ($1.state.rank, $1.number)
        })
        where !endedEarly.contains(task.number) {
            // A discarded transfer, or one that has a better task.
            if let known = transfers[task.id], known.isDiscarded || known.phase != .idle {
                discardedTasks.insert(task.number)
            }
            actions += update(task.id) { transfer in
                guard transfer.phase == .idle, !transfer.isDiscarded else {
                    return task.state == .completed ? [] : [.cancel(task)]
                }
                switch task.state {
                case .running: transfer.phase = .running(task)
                case .suspended: transfer.phase = .suspended(task)
                case .completed: transfer.phase = .ending(task)
                case .cancelling: transfer.phase = .stopping(task)
                }
                guard transfer.isUnwanted, task.state == .running || task.state == .suspended else { return [] }
                transfer.phase = .stopping(task)
                return [.stop(task)]
            }
        }
        endedEarly = []
        for id in transfers.keys.sorted(by: { $0.uuidString < $1.uuidString }) {
            actions += update(id) { transfer in
                (transfer.isUnwanted, transfer.isDiscarded) = (false, false)
                return Self.serve(id, in: &transfer, isListed: true)
            }
        }
        return actions
    }

    private mutating func arrived(_ task: BackgroundSessionTask) -> [Action] {
        let transfer = transfers[task.id, default: Transfer()]
        // A replaced task, or a file of another URL than the one that is wanted.
        if discardedTasks.contains(task.number) || transfer.isDiscarded { return [.drop] }
        if transfer.phase == .idle, settledTransfers.contains(task.id) { return [.drop] }
        if transfer.phase.task.map({ $0.number != task.number }) == true { return [.drop] }
        if let waiter = transfer.waiter, !task.hasURL(waiter.url) { return [.drop] }
        return [.keep(task)]
    }

    private mutating func kept(_ task: BackgroundSessionTask, error: BackgroundTransferError?) -> [Action] {
        if error == nil { unsettled.insert(task.id) }
        if error == nil, transfers[task.id]?.waiter != nil { handedOver.insert(task.id) }
        if !isListed { endedEarly.insert(task.number) }
        return update(task.id) { transfer in
            transfer.phase = .idle
            transfer.notice = nil
            guard let waiter = transfer.waiter.take() else { return [] }
            return [.finish(call: waiter.call, error.map(Outcome.failed) ?? .kept)]
        }
    }

    private mutating func ended(
        _ task: BackgroundSessionTask, error: BackgroundTransferError?, hasResumeData: Bool
    ) -> [Action] {
        // The user has closed the app, and has resumed the transfer since.
        let isResumed = error == .closedByUser && transfers[task.id]?.waiter?.isRestored == false
        let error = isResumed ? .cancelled : error
        if !isListed { endedEarly.insert(task.number) }
        if discardedTasks.remove(task.number) != nil { return [] }
        let isListed = isListed
        // A response came from another task.
        let isSettled = settledTransfers.contains(task.id)
        return update(task.id) { transfer in
            let store = hasResumeData && !transfer.isDiscarded && !isSettled ? [Action.storeResumeData(task)] : []
            let isCurrent = transfer.phase.task?.number == task.number
            let wasStopping = isCurrent && transfer.phase == .stopping(task)
            // Before the list arrives, a task that an earlier process left is not known.
            guard isCurrent || transfer.phase == .idle && !isListed else {
                guard error == .closedByUser, !transfer.isDiscarded else {
                    return transfer.phase == .idle && transfer.waiter == nil ? store : []
                }
                return Self.pause(&transfer, error: error)
            }
            transfer.phase = .idle
            if error == .closedByUser { return store + Self.pause(&transfer, error: error) }
            guard let waiter = transfer.waiter else { return store }
            // Its own cancellation, of an earlier call or process.
            let isForeign = error == .cancelled || !Self.fits(task, waiter)
            // The system may cancel each new task as well: a call creates one more only once.
            if wasStopping || isForeign && !(isCurrent && waiter.isRestarted) {
                if isCurrent, !wasStopping { transfer.waiter?.isRestarted = true }
                return store + Self.serve(task.id, in: &transfer, isListed: isListed)
            }
            // Success came before, with the file.
            if error == nil, !isCurrent { return store }
            transfer.waiter = nil
            return store + [.finish(call: waiter.call, .failed(error ?? .noResponse))]
        }
    }

    /// Ends the waiting call with the reason for which the system cancelled the transfer, or keeps it for the next one.
    private static func pause(_ transfer: inout Transfer, error: BackgroundTransferError?) -> [Action] {
        guard let error, !transfer.isDiscarded else { return [] }
        guard let waiter = transfer.waiter.take() else {
            transfer.notice = error
            return []
        }
        let finish = Action.finish(call: waiter.call, .failed(error))
        guard case .running(let task) = transfer.phase else { return [finish] }
        transfer.phase = .stopping(task)
        return [finish, .stop(task)]
    }

    private mutating func stopped(_ task: BackgroundSessionTask, hasResumeData: Bool) -> [Action] {
        // Without an entry the transfer was discarded.
        guard !isInvalid, stops.removeValue(forKey: task.number) != nil else { return [] }
        let isListed = isListed
        // A response came from another task.
        let isSettled = settledTransfers.contains(task.id)
        return update(task.id) { transfer in
            let store = hasResumeData && !transfer.isDiscarded && !isSettled ? [Action.storeResumeData(task)] : []
            guard transfer.phase == .stopping(task) else {
                // The callback of the end came first.
                return transfer.phase == .idle && transfer.waiter == nil ? store : []
            }
            transfer.phase = .idle
            return store + Self.serve(task.id, in: &transfer, isListed: isListed)
        }
    }

    private mutating func waited(_ task: BackgroundSessionTask) -> [Action] {
        guard let phase = transfers[task.id]?.phase, phase == .ending(task) || phase == .stopping(task) else {
            return []
        }
        discardedTasks.insert(task.number)
        let isListed = isListed
        return update(task.id) { transfer in
            transfer.phase = .idle
            return Self.serve(task.id, in: &transfer, isListed: isListed)
        }
    }

    private mutating func invalidated() -> [Action] {
        isInvalid = true
        let waiters = transfers.values.compactMap(\.waiter?.call).sorted()
        (transfers, endedEarly, discardedTasks, stops) = ([:], [], [], [:])
        return waiters.map { .finish(call: $0, .failed(.invalidated)) }
    }
}
