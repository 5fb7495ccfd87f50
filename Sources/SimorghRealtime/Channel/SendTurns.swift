// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The order of a connection's senders, and their back-pressure: a value that its owner keeps under a lock.
///
/// One message is sent at a time. Other senders wait for their turn in FIFO order, and the active one waits while too
/// many bytes are unwritten.
package struct SendTurns: Sendable {
    /// The continuation of a waiting sender.
    package typealias Turn = CheckedContinuation<Result<Void, WebSocketError>, Never>

    /// The result of adding a message.
    package enum Sending: Sendable, Hashable {
        /// Not added: the sender has to wait for its turn, which also reports the end of the connection.
        case refused
        /// Added; a flush is already scheduled.
        case added
        /// Added; the caller has to schedule a flush.
        case addedFirst
    }

    /// The number of unwritten bytes from which senders wait.
    private let limit: Int
    /// The number of unwritten bytes.
    package var pending = 0
    /// True if a flush is scheduled and has not begun.
    package var isScheduled = false
    /// True while the connection takes no bytes.
    package var isBlocked = false
    /// True while a sender is active.
    private var isHeld = false
    /// The senders that wait for their turn.
    private var waiters = NumberedQueue<Turn>()
    /// The active sender, if it waits for room.
    private var holder: Turn?
    private var lastID: UInt64 = 0
    /// The error for all senders after the end.
    package private(set) var ended: WebSocketError?
    /// The payload of the latest ping that is unanswered because there is no room.
    package var pong: [UInt8]?

    package init(limit: Int) { self.limit = max(limit, 1) }

    package var isFull: Bool { isBlocked || pending >= limit }

    /// True if a message may be added without a turn: no sender is active or waits, and there is room.
    package var isFree: Bool { ended == nil && !isHeld && waiters.isEmpty && !isFull }

    package mutating func schedule() -> Sending {
        defer { isScheduled = true }
        return isScheduled || isBlocked ? .added : .addedFirst
    }

    /// Takes the turn if it is free.
    ///
    /// - Returns: The number to wait with; `nil` if the caller is the active sender now.
    mutating func enter() -> UInt64? {
        if isFree {
            isHeld = true
            return nil
        }
        lastID += 1
        return lastID
    }

    /// True if the active sender has to wait.
    var delaysHolder: Bool { isFull || ended != nil }

    /// Waits for a turn, or for room if the number is 0, which stands for the active sender.
    ///
    /// - Returns: The result if there is nothing to wait for.
    mutating func wait(_ turn: Turn, id: UInt64, isCancelled: Bool) -> Result<Void, WebSocketError>? {
        if let ended { return .failure(ended) }
        if isCancelled { return .failure(.cancelled) }
        if id == 0 {
            if !isFull { return .success(()) }
            holder = turn
        } else {
            if isFree {
                isHeld = true
                return .success(())
            }
            waiters.append(turn, number: id)
        }
        return nil
    }

    /// Removes and returns the waiting sender with a number, because its task was cancelled.
    mutating func withdraw(_ id: UInt64) -> Turn? { id == 0 ? holder.take() : waiters.remove(id) }

    /// Ends the turn of the active sender.
    ///
    /// - Returns: The sender whose turn it is now.
    mutating func leave() -> Turn? {
        isHeld = false
        return next()
    }

    /// Returns the sender whose turn it is now.
    package mutating func next() -> Turn? {
        // Usually no sender waits.
        guard holder != nil || !waiters.isEmpty, !isFull else { return nil }
        // The active sender, if it waits for room, comes first.
        if let turn = holder.take() { return turn }
        guard !isHeld, let turn = waiters.popFirst() else { return nil }
        isHeld = true
        return turn
    }

    /// Ends all sending.
    ///
    /// - Parameter error: The error for senders.
    /// - Returns: The waiting senders.
    package mutating func end(_ error: WebSocketError) -> [Turn] {
        ended = error
        pong = nil
        let holder = holder.take()
        return waiters.removeAll() + (holder.map { [$0] } ?? [])
    }
}

/// A queue of frames whose senders take turns.
package protocol TurnQueue: Sendable {
    /// Runs a closure with the turns, under the queue's lock.
    func withTurns<Result: Sendable>(_ body: (inout SendTurns) -> Result) -> Result
}

extension TurnQueue {
    /// Waits until no other sender is active and there is room.
    ///
    /// The caller must call ``leave()`` afterwards.
    package func enter() async throws(WebSocketError) {
        guard let id = withTurns({ $0.enter() }) else { return }
        try await wait(id)
    }

    /// Waits until there is room for more; called by the active sender.
    package func room() async throws(WebSocketError) {
        guard withTurns({ $0.delaysHolder }) else { return }
        try await wait(0)
    }

    private func wait(_ id: UInt64) async throws(WebSocketError) {
        try await withTaskCancellationHandler {
            await withCheckedContinuation { (turn: SendTurns.Turn) in
                let early = withTurns { $0.wait(turn, id: id, isCancelled: Task.isCancelled) }
                if let early { turn.resume(returning: early) }
            }
        } onCancel: {
            let turn = withTurns { $0.withdraw(id) }
            turn?.resume(returning: .failure(.cancelled))
        }.get()
    }

    /// Ends the turn.
    package func leave() {
        let turn = withTurns { $0.leave() }
        turn?.resume(returning: .success(()))
    }
}
