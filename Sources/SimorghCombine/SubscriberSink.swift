// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Combine)
@preconcurrency import Combine
#else
@preconcurrency import OpenCombine
#endif

/// A subscriber, reduced to two closures.
///
/// Unchecked, because Combine's subscribers are not `Sendable`. It is safe: each of the two subscriptions creates one
/// for itself, keeps it under its lock, and calls `value` and `completion` one call after another, each finished before
/// the next begins. ``SequenceSubscription`` waits for a call before it makes the next, and ``WorkSubscription`` makes
/// all of them in one function, which gets the sink once.
struct SubscriberSink<Input, Failure: Error>: @unchecked Sendable {
    let value: (Input) -> Subscribers.Demand
    let completion: (Subscribers.Completion<Failure>) -> Void

    init<Downstream: Subscriber>(_ subscriber: Downstream)
    where Downstream.Input == Input, Downstream.Failure == Failure {
        value = { subscriber.receive($0) }
        completion = { subscriber.receive(completion: $0) }
    }
}
