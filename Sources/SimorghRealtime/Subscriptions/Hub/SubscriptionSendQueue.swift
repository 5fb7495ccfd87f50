// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// The queue of outgoing messages of one connection, ending with its close.
package final class SubscriptionSendQueue: Sendable {
    package enum Item: Sendable {
        case message(WebSocketMessage)
        /// Everything before this item has been sent, including the message of this subscription.
        case mark(SubscriptionID)
        case close(WebSocketCloseCode)
    }

    private enum Slot: Sendable {
        case item(Item)
        /// The position of the latest message.
        case latest
    }

    private struct State {
        var slots = Deque<Slot>()
        var latest: WebSocketMessage?
        var byteCount = 0
        var isClosed = false
        var waiter: CheckedContinuation<Void, Never>?
        var isCancelled = false
    }

    /// The maximum number of queued items; more mean that the server does not read, or that pacing cannot keep up.
    private static let bound = 100_000
    /// The maximum number of queued bytes; a single larger message is accepted.
    private static let byteBound = 16 * 1024 * 1024

    private let state = Mutex(State())

    package init() {}

    /// Adds an item; returns `false` if the queue is full.
    package func put(_ item: Item) -> Bool {
        let (waiter, fits) = state.withLock { state -> (CheckedContinuation<Void, Never>?, Bool) in
            guard !state.isClosed else { return (nil, true) }
            if case .close = item {
                state.isClosed = true
            } else {
                let size = if case .message(let message) = item { message.byteCount } else { 0 }
                guard Self.fits(size, in: state) else { return (nil, false) }
                state.byteCount += size
            }
            state.slots.append(.item(item))
            return (state.waiter.take(), true)
        }
        waiter?.resume()
        return fits
    }

    /// Adds a message, or replaces one that was added this way and is still queued.
    ///
    /// - Returns: `false` if the queue is full.
    package func putLatest(_ message: WebSocketMessage) -> Bool {
        let (waiter, fits) = state.withLock { state -> (CheckedContinuation<Void, Never>?, Bool) in
            guard !state.isClosed else { return (nil, true) }
            state.byteCount -= state.latest?.byteCount ?? 0
            guard Self.fits(message.byteCount, in: state) else { return (nil, false) }
            state.byteCount += message.byteCount
            if state.latest == nil { state.slots.append(.latest) }
            state.latest = message
            return (state.waiter.take(), true)
        }
        waiter?.resume()
        return fits
    }

    private static func fits(_ size: Int, in state: State) -> Bool {
        state.slots.count < bound && (state.byteCount == 0 || state.byteCount + size <= byteBound)
    }

    /// Waits for the next item; returns `nil` if the task is cancelled.
    package func next() async -> Item? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    guard state.slots.isEmpty, !state.isCancelled else { return true }
                    state.waiter = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
            return state.withLock { state in
                guard !state.isCancelled, let slot = state.slots.takeFirst() else { return nil }
                let item: Item? =
                    switch slot {
                    case .item(let item): item
                    case .latest: state.latest.take().map(Item.message)
                    }
                if case .message(let message)? = item { state.byteCount -= message.byteCount }
                return item
            }
        } onCancel: {
            state.withLock { state in
                state.isCancelled = true
                return state.waiter.take()
            }?.resume()
        }
    }
}
