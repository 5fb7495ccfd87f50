// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCombine
import SimorghCore
import Synchronization

/// A subscriber that requests `step` values at first, and again each time that many have arrived.
final class DemandSubscriber<Input: Sendable>: Subscriber, Sendable {
    typealias Failure = NetworkError

    private let step: Int
    private let asksAgain: Bool
    private let value: @Sendable (Input) -> Void
    private let end: @Sendable () -> Void
    private let count = Mutex(0)

    init(
        step: Int, asksAgain: Bool = true, value: @escaping @Sendable (Input) -> Void,
        end: @escaping @Sendable () -> Void
    ) {
        self.step = step
        self.asksAgain = asksAgain
        self.value = value
        self.end = end
    }

    private var demand: Subscribers.Demand { step == .max ? .unlimited : .max(step) }

    func receive(subscription: any Subscription) { subscription.request(demand) }

    func receive(_ input: Input) -> Subscribers.Demand {
        value(input)
        let isDue = count.withLock { count in
            count += 1
            return asksAgain && step != .max && count.isMultiple(of: step)
        }
        return isDue ? demand : .none
    }

    func receive(completion: Subscribers.Completion<NetworkError>) { end() }
}
