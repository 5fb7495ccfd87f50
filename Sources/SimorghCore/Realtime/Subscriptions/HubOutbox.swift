// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// What is still to be sent on one connection, in order, and at last its end.
final class HubOutbox: Sendable {
    enum Item: Sendable {
        case message(WebSocketMessage)
        case close(WebSocketCloseCode)
    }

    private struct State {
        var items = ItemQueue<Item>()
        var isClosed = false
        var waiter: CheckedContinuation<Void, Never>?
        var isCancelled = false
    }

    /// More wait only where a server does not read, and pacing holds back what a program asks for.
    private static let bound = 100_000

    private let state = Mutex(State())

    /// Adds a message; `false` where too many wait.
    func put(_ message: WebSocketMessage) -> Bool {
        let (waiter, fits) = state.withLock { state -> (CheckedContinuation<Void, Never>?, Bool) in
            guard !state.isClosed else { return (nil, true) }
            guard state.items.count < Self.bound else { return (nil, false) }
            state.items.append(.message(message))
            return (state.waiter.take(), true)
        }
        waiter?.resume()
        return fits
    }

    /// Adds the end; nothing comes after it.
    func close(_ code: WebSocketCloseCode) {
        state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.isClosed else { return nil }
            state.isClosed = true
            state.items.append(.close(code))
            return state.waiter.take()
        }?.resume()
    }

    /// Waits for the next thing to send; `nil` when the task is cancelled.
    func next() async -> Item? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    guard state.items.isEmpty, !state.isCancelled else { return true }
                    state.waiter = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
            return state.withLock { $0.isCancelled ? nil : $0.items.popFirst() }
        } onCancel: {
            state.withLock { state in
                state.isCancelled = true
                return state.waiter.take()
            }?.resume()
        }
    }
}
