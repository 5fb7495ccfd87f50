// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The state of one subscription on the connection.
package struct SubscriptionRecord<Operation: Sendable>: Sendable {
    package enum Stage: Sendable, Equatable {
        /// It was not sent on this connection.
        case unsent
        /// Its operation is being prepared.
        case preparing
        /// It was sent and waits for the server's answer.
        case sent
        /// The server has accepted it.
        case live
        /// The server cannot serve it at the moment; it is sent again after a wait.
        case postponed
        /// Its end was sent and waits for the server's confirmation.
        case leaving
    }

    package let operation: Operation
    /// True for a one-shot request, which is never sent twice because it may have side effects.
    package let isOneShot: Bool
    package internal(set) var stage = Stage.unsent
    package internal(set) var wasLive = false
    /// The prepared operation, which is sent once the operations before it have been sent.
    var prepared: Operation?
    /// True if its preparation is so slow that later operations no longer wait for it.
    var isOvertaken = false
    /// The number of postponements in a row.
    var postponements = 0
    var liveSince = Duration.zero

    /// True if the server does not know of it.
    var isUnsent: Bool { stage == .unsent || stage == .preparing || stage == .postponed }
}
