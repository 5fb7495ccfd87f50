// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The state of operation preparation: the running and waiting preparations, and the send order.
struct PendingPreparations: Sendable {
    /// The maximum number of concurrent preparations.
    static let limit = 32
    /// The time that prepared operations wait for a slow one before them.
    static let patience = Duration.seconds(1)

    var running: Set<SubscriptionID> = []
    var waiting = Deque<SubscriptionID>()
    /// The operations in the order in which they must be sent.
    var line = Deque<SubscriptionID>()
}

extension SubscriptionStateMachine {
    /// Returns the operation to prepare and the session; `nil` if the preparation is no longer needed.
    package func preparation(_ generation: Int, _ id: SubscriptionID) -> (Session.Operation, Session)? {
        guard generation == self.generation, let entry = entries[id], entry.stage == .preparing, let session else {
            return nil
        }
        return (entry.operation, session)
    }

    /// Handles the result of a preparation.
    package mutating func prepared(
        _ generation: Int, _ id: SubscriptionID, _ outcome: Result<Session.Operation, any Error>
    ) -> [SubscriptionMachineAction] {
        guard generation == self.generation, let entry = entries[id], entry.stage == .preparing,
            completion.running.remove(id) != nil
        else { return [] }
        stop(.subscribe(id))
        switch outcome {
        case .success(let operation):
            if entry.isOvertaken { ask(id, operation) } else { entries[id]?.completed = operation }
        case .failure(let error):
            let failure = SubscriptionError(
                .invalidRequest, causedBy: error, "preparing the subscription failed")
            if ConnectionLoss.isTransient(error) { postpone(id, failure) } else { finish(id, failure) }
        }
        advancePreparations()
        return take()
    }

    /// Prepares an operation, then sends it.
    mutating func complete(_ id: SubscriptionID) {
        entries[id]?.stage = .preparing
        entries[id]?.completed = nil
        entries[id]?.isOvertaken = false
        completion.waiting.append(id)
        completion.line.append(id)
        advancePreparations()
    }

    /// Sends prepared operations that have no unprepared one before them, and starts preparations up to the limit.
    mutating func advancePreparations() {
        guard phase == .ready, !isLeaving else { return }
        while let id = completion.line.first {
            if let entry = entries[id], entry.stage == .preparing, !entry.isOvertaken {
                guard let operation = entry.completed else { break }
                completion.line.takeFirst()
                ask(id, operation)
            } else {
                completion.line.takeFirst()
            }
        }
        while completion.running.count < PendingPreparations.limit, let id = completion.waiting.takeFirst() {
            guard entries[id]?.stage == .preparing, completion.running.insert(id).inserted else { continue }
            actions.append(.prepare(generation, id))
            start(.subscribe(id), options.subscribeTimeout)
        }
        if completion.line.isEmpty {
            stop(.completion)
        } else if runs[.completion] == nil {
            start(.completion, PendingPreparations.patience)
        }
    }

    /// Lets later operations overtake the ones that are still being prepared.
    mutating func overtakePending() {
        for id in completion.running { entries[id]?.isOvertaken = true }
        advancePreparations()
    }

    /// Cancels all preparations.
    mutating func cancelPreparations() {
        for id in completion.running { actions.append(.cancelPreparation(id)) }
        completion = PendingPreparations()
    }
}
