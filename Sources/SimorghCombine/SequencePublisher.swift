// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

#if canImport(Combine)
@preconcurrency import Combine
#else
@preconcurrency import OpenCombine
#endif

/// A cold publisher of an asynchronous sequence: one iteration per subscriber, with elements delivered on demand.
struct SequencePublisher<Sequence: AsyncSequence & Sendable>: Publisher
where Sequence.Element: Sendable, Sequence.Failure: Sendable {
    typealias Output = Sequence.Element
    typealias Failure = Sequence.Failure

    let queue: CallbackQueue
    let sequence: Sequence

    func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
        let sink = SubscriberSink(subscriber)
        subscriber.receive(subscription: SequenceSubscription(queue: queue, sequence: sequence, sink: sink))
    }
}
