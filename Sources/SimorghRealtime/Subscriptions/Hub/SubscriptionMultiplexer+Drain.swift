// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport
import Synchronization

extension SubscriptionMultiplexer: DrainMember {
    /// Refuses new subscriptions, and disconnects once the pending one-shot requests have been answered.
    ///
    /// Those that wait for the next attempt to connect end at once: the drain would refuse the attempt.
    package func beginDrain() -> Int {
        let isIdle = state.withLock { state in
            state.isDraining = true
            return state.pendingRequests.isEmpty
        }
        if isIdle { disconnect() } else { put(.endWaiting(Self.refusal)) }
        return 0
    }

    package func drained() async {
        // A request may end before its connection exists, so waiting for the connections is not enough.
        while true {
            let count = answers.count
            if state.withLock({ $0.pendingRequests.isEmpty }) { break }
            guard (try? await answers.wait(after: count)) != nil else { return }
        }
        await ended()
    }

    /// Ends the pending one-shot requests with errors, everything else normally, and drops the connections.
    package func endImmediately() -> Bool {
        let numbers = state.withLock { state in
            state.isDraining = true
            return Array(state.connections.keys)
        }
        put(.end(unsent: Self.refusal, sent: Self.noAnswer))
        for number in numbers { drop(number) }
        return !numbers.isEmpty
    }

    /// The error of an operation that a drain refuses; it was not sent.
    static var refusal: SubscriptionError {
        let error = ClientDrainedError()
        return SubscriptionError(.connectionFailed, message: error.description, underlying: error)
    }

    /// The error of a one-shot request that was sent, and not answered before the end of a drain.
    private static var noAnswer: SubscriptionError {
        SubscriptionError(
            .connectionLost,
            message: "the drain of the client ended before the server answered; the server may have handled the request"
        )
    }
}
