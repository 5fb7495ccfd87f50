// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Which operations are being completed, which still wait for that, and in which order they go out.
struct HubCompletion: Sendable {
    /// How many are completed at the same time.
    static let limit = 32
    /// How long those behind wait for one that takes its time.
    static let patience = Duration.seconds(1)

    var running: Set<SubscriptionID> = []
    var waiting = Deque<SubscriptionID>()
    /// Those that go out in the order in which they were asked for.
    var line = Deque<SubscriptionID>()
}

extension SubscriptionHubMachine {
    /// What a subscription asks for, and of whom, for its completion; `nil` where it is wanted no more.
    package func preparation(_ generation: Int, _ id: SubscriptionID) -> (Session.Operation, Session)? {
        guard generation == self.generation, let entry = entries[id], entry.stage == .preparing, let session else {
            return nil
        }
        return (entry.operation, session)
    }

    /// What a subscription asks for is complete, or cannot be completed.
    package mutating func prepared(
        _ generation: Int, _ id: SubscriptionID, _ outcome: Result<Session.Operation, any Error>
    ) -> [HubAction] {
        guard generation == self.generation, let entry = entries[id], entry.stage == .preparing,
            completion.running.remove(id) != nil
        else { return [] }
        stop(.subscribe(id))
        switch outcome {
        case .success(let operation):
            if entry.isPassedBy { ask(id, operation) } else { entries[id]?.completed = operation }
        case .failure(let error):
            let failure = SubscriptionError(
                .invalidRequest, causedBy: error, "the subscription could not be prepared")
            if HubLoss.mayPass(error) { postpone(id, failure) } else { finish(id, failure) }
        }
        completeMore()
        return take()
    }

    /// Completes an operation, then asks for it.
    mutating func complete(_ id: SubscriptionID) {
        entries[id]?.stage = .preparing
        entries[id]?.completed = nil
        entries[id]?.isPassedBy = false
        completion.waiting.append(id)
        completion.line.append(id)
        completeMore()
    }

    /// Has as many completed as may be, and asks for those that are and have nobody before them.
    mutating func completeMore() {
        guard phase == .ready, !isLeaving else { return }
        while let id = completion.line.first {
            if let entry = entries[id], entry.stage == .preparing, !entry.isPassedBy {
                guard let operation = entry.completed else { break }
                completion.line.takeFirst()
                ask(id, operation)
            } else {
                completion.line.takeFirst()
            }
        }
        while completion.running.count < HubCompletion.limit, let id = completion.waiting.takeFirst() {
            guard entries[id]?.stage == .preparing, completion.running.insert(id).inserted else { continue }
            actions.append(.prepare(generation, id))
            start(.subscribe(id), options.subscribeTimeout)
        }
        if completion.line.isEmpty {
            stop(.completion)
        } else if runs[.completion] == nil {
            start(.completion, HubCompletion.patience)
        }
    }

    /// Nobody waits any longer for those that take their time.
    mutating func passBy() {
        for id in completion.running { entries[id]?.isPassedBy = true }
        completeMore()
    }

    /// Completes nothing any more.
    mutating func abandonCompletions() {
        for id in completion.running { actions.append(.cancelPreparation(id)) }
        completion = HubCompletion()
    }
}
