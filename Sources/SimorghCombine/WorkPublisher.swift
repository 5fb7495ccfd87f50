// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

#if canImport(Combine)
@preconcurrency import Combine
#else
@preconcurrency import OpenCombine
#endif

/// A cold publisher of asynchronous work: one run per subscriber, which publishes one value and then finishes.
///
/// The work starts with the first demand, and is cancelled with the subscription. Nothing is delivered after a
/// cancellation.
struct WorkPublisher<Output: Sendable, Failure: Error>: Publisher {
    let queue: CallbackQueue
    let work: @Sendable () async -> Result<Output, Failure>

    func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
        let sink = SubscriberSink(subscriber)
        subscriber.receive(subscription: WorkSubscription(queue: queue, work: work, sink: sink))
    }
}
