// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The state of operation preparation: the running and waiting preparations, and the send order.
struct PendingPreparations: Sendable {
    /// The maximum number of concurrent preparations.
    static let limit = 32
    /// The time that prepared operations wait for a slow one before them.
    static let maximumWait = Duration.seconds(1)

    /// The operations that are being prepared.
    var running: Set<SubscriptionID> = []
    /// The operations to prepare once fewer than ``limit`` are being prepared.
    var waiting = Deque<SubscriptionID>()
    /// The operations in the order in which they must be sent.
    var sendOrder = Deque<SubscriptionID>()
}

extension SubscriptionStateMachine {
    /// Returns the operation to prepare and the session; `nil` if the preparation is no longer needed.
    package func preparation(_ generation: Int, of id: SubscriptionID) -> (Session.Operation, Session)? {
        guard generation == self.generation, let entry = entries[id], entry.stage == .preparing, let session else {
            return nil
        }
        return (entry.operation, session)
    }

    /// Sends an operation that was prepared, in its turn; postpones or ends its subscription if preparation failed.
    package mutating func prepared(
        _ generation: Int, id: SubscriptionID, outcome: Result<Session.Operation, any Error>
    ) -> [SubscriptionMachineAction] {
        guard generation == self.generation, let entry = entries[id], entry.stage == .preparing,
            preparations.running.remove(id) != nil
        else { return [] }
        stop(.subscribe(id))
        switch outcome {
        case .success(let operation):
            if entry.isOvertaken { send(id, operation: operation) } else { entries[id]?.prepared = operation }
        case .failure(let error):
            let failure = SubscriptionError(
                .invalidRequest, causedBy: error, message: "preparing the subscription failed")
            if ConnectionLoss.isTransient(error) { postpone(id, error: failure) } else { finish(id, error: failure) }
        }
        advancePreparations()
        return takeActions()
    }

    /// Prepares an operation, then sends it.
    mutating func prepare(_ id: SubscriptionID) {
        entries[id]?.stage = .preparing
        entries[id]?.prepared = nil
        entries[id]?.isOvertaken = false
        preparations.waiting.append(id)
        preparations.sendOrder.append(id)
        advancePreparations()
    }

    /// Sends prepared operations that have no unprepared one before them, and starts preparations up to the limit.
    mutating func advancePreparations() {
        guard phase == .ready, !isLeaving else { return }
        while let id = preparations.sendOrder.first {
            if let entry = entries[id], entry.stage == .preparing, !entry.isOvertaken {
                guard let operation = entry.prepared else { break }
                preparations.sendOrder.takeFirst()
                send(id, operation: operation)
            } else {
                preparations.sendOrder.takeFirst()
            }
        }
        while preparations.running.count < PendingPreparations.limit, let id = preparations.waiting.takeFirst() {
            guard entries[id]?.stage == .preparing, preparations.running.insert(id).inserted else { continue }
            actions.append(.prepare(generation, id))
            start(.subscribe(id), after: options.subscribeTimeout)
        }
        if preparations.sendOrder.isEmpty {
            stop(.preparation)
        } else if runs[.preparation] == nil {
            start(.preparation, after: PendingPreparations.maximumWait)
        }
    }

    /// Lets later operations overtake the ones that are still being prepared.
    mutating func overtakePending() {
        for id in preparations.running { entries[id]?.isOvertaken = true }
        advancePreparations()
    }

    /// Cancels all preparations.
    mutating func cancelPreparations() {
        for id in preparations.running { actions.append(.cancelPreparation(id)) }
        preparations = PendingPreparations()
    }
}
