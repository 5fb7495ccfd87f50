// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

#if canImport(Combine)
@preconcurrency import Combine
#else
@preconcurrency import OpenCombine
#endif

/// A piece of asynchronous work as a publisher: cold, one run for each subscriber, one value and then the end.
///
/// The work starts when the first value is asked for, and is cancelled with the subscription. Nothing is delivered after
/// a cancellation.
struct WorkPublisher<Output: Sendable, Failure: Error>: Publisher {
    let queue: CallbackQueue
    let work: @Sendable () async -> Result<Output, Failure>

    func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
        let sink = WorkSubscription<Output, Failure>.Sink(
            value: { _ = subscriber.receive($0) },
            completion: { subscriber.receive(completion: $0) }
        )
        subscriber.receive(subscription: WorkSubscription(queue: queue, work: work, sink: sink))
    }
}
