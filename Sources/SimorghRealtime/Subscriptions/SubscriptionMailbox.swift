// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// What has come for one subscriber and was not taken yet, bounded.
package final class SubscriptionMailbox: SubscriptionSink {
    /// What is kept.
    package enum Item: Sendable {
        case payload(SubscriptionPayload)
        case notice(HubNotice)
        case missed(Int)
    }

    private struct State {
        var items = ItemQueue<Item>()
        var missed = 0
        /// How it ended, where it did: what is kept is still handed out.
        var ending: Result<Void, SubscriptionError>?
        var waiter: CheckedContinuation<Void, Never>?
        var roomWaiters: [CheckedContinuation<Void, Never>] = []
        /// Whether the next wait for room is none.
        var isHurried = false
        /// The bytes of the events that were kept when there was no room.
        var excess = 0
    }

    private let state = Mutex(State())
    private let capacity: Int
    private let overflow: SubscriptionOptions.Overflow
    private let leaving = Mutex(Leaving())

    private struct Leaving {
        var action: (@Sendable () -> Void)?
        /// Whether the subscriber went before it was known what is to be done then.
        var isOwed = false
        var isOver = false
    }

    package init(_ options: SubscriptionOptions) {
        capacity = max(1, options.bufferSize)
        overflow = options.overflow
    }

    /// Sets what is done, once, when the subscriber goes before the end.
    package func onLeave(_ leave: @escaping @Sendable () -> Void) {
        let isOwed = leaving.withLock { leaving in
            guard !leaving.isOver else { return leaving.isOwed }
            leaving.action = leave
            return false
        }
        if isOwed { leave() }
    }

    /// Does what is done when the subscriber goes, once.
    private func depart() {
        let action: (@Sendable () -> Void)? = leaving.withLock { leaving in
            guard !leaving.isOver else { return nil }
            leaving.isOver = true
            leaving.isOwed = leaving.action == nil
            return leaving.action.take()
        }
        action?()
    }

    package func deliver(_ payload: SubscriptionPayload) -> Bool {
        let (waiter, hasRoom, isTooSlow) = state.withLock {
            state -> (CheckedContinuation<Void, Never>?, Bool, Bool) in
            guard state.ending == nil else { return (nil, true, false) }
            if state.items.count >= capacity {
                switch overflow {
                case .dropOldest:
                    // Changes are kept beyond the bound, one at a time: what comes next makes room for them, too.
                    while state.items.count >= capacity {
                        if case .payload = state.items.popFirst() { state.missed += 1 }
                    }
                case .suspend: break
                case .fail:
                    state.ending = .failure(
                        SubscriptionError(
                            .bufferOverflow, "\(capacity) events were not taken before the next one came"))
                    return (state.waiter.take(), true, true)
                }
            }
            if overflow == .suspend, state.items.count >= capacity { state.excess += payload.message.byteCount }
            state.items.append(.payload(payload))
            let hasRoom = overflow != .suspend || state.items.count < capacity
            return (state.waiter.take(), hasRoom, false)
        }
        waiter?.resume()
        // What is kept is still handed out.
        if isTooSlow { depart() }
        return hasRoom
    }

    package func tell(_ notice: HubNotice) {
        state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.ending == nil else { return nil }
            // An hour of interruptions is no reason to keep each of them, but none may push out an event.
            if case .notice = state.items.last, state.items.count >= capacity { state.items.popLast() }
            state.items.append(.notice(notice))
            return state.waiter.take()
        }?.resume()
    }

    package func end(_ error: SubscriptionError?) {
        let (waiter, others) = state.withLock { state in
            if state.ending == nil { state.ending = error.map(Result.failure) ?? .success(()) }
            defer { state.roomWaiters = [] }
            return (state.waiter.take(), state.roomWaiters)
        }
        waiter?.resume()
        for other in others { other.resume() }
        leaving.withLock { leaving in
            leaving.action = nil
            leaving.isOver = true
        }
    }

    package var space: SubscriptionSpace {
        state.withLock { state in
            guard state.ending == nil, state.items.count >= capacity else { return .free }
            let hasSlack =
                state.items.count - capacity < WebSocketBacklog.slack && state.excess < WebSocketBacklog.byteSlack
            return hasSlack ? .slack : .full
        }
    }

    package func hurry() {
        let waiters = state.withLock { state in
            state.isHurried = state.roomWaiters.isEmpty
            defer { state.roomWaiters = [] }
            return state.roomWaiters
        }
        for waiter in waiters { waiter.resume() }
    }

    package func room() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    guard state.ending == nil, state.items.count >= capacity, !Task.isCancelled, !state.isHurried else {
                        state.isHurried = false
                        return true
                    }
                    state.roomWaiters.append(continuation)
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            let waiters = state.withLock { state in
                defer { state.roomWaiters = [] }
                return state.roomWaiters
            }
            for waiter in waiters { waiter.resume() }
        }
    }

    /// Says that the subscriber has gone: nothing more is kept.
    package func leave(_ error: SubscriptionError? = nil) {
        state.withLock { state in
            if let error {
                state.ending = .failure(error)
            } else if state.ending == nil {
                state.ending = .failure(SubscriptionError(.cancelled, "the subscription was cancelled"))
            }
            state.missed = 0
            state.items = ItemQueue()
            defer { state.roomWaiters = [] }
            return [state.waiter.take()].compactMap(\.self) + state.roomWaiters
        }
        .forEach { $0.resume() }
        depart()
    }

    /// Waits for the next thing.
    ///
    /// - Returns: The thing; `nil` at the good end.
    /// - Throws: Why it ended; once, and then it is over.
    package func next() async throws(SubscriptionError) -> Item? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    // A second reader, which there should not be, is not kept waiting for ever.
                    guard state.items.isEmpty, state.missed == 0, state.ending == nil, state.waiter == nil else {
                        return true
                    }
                    state.waiter = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            leave()
        }
        let (item, ending, waiters) = state.withLock {
            state -> (Item?, Result<Void, SubscriptionError>?, [CheckedContinuation<Void, Never>]) in
            if state.missed > 0 {
                defer { state.missed = 0 }
                return (.missed(state.missed), nil, [])
            }
            if let item = state.items.popFirst() {
                guard state.items.count < capacity else { return (item, nil, []) }
                state.excess = 0
                defer { state.roomWaiters = [] }
                return (item, nil, state.roomWaiters)
            }
            guard let ending = state.ending else { return (nil, nil, []) }
            state.ending = .success(())
            return (nil, ending, [])
        }
        for waiter in waiters { waiter.resume() }
        try ending?.get()
        return item
    }
}
