// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// One subscription of a connection, and how far it is.
package struct HubEntry<Operation: Sendable>: Sendable {
    package enum Stage: Sendable, Equatable {
        /// The server of this connection has not been asked.
        case unasked
        /// What it is asked is being completed.
        case preparing
        /// It was asked, and its word is awaited.
        case asked
        /// It has agreed.
        case live
        /// It does not have the subscription for now, and is asked again after a wait.
        case postponed
        /// It was told of the end, and its word is awaited.
        case leaving
    }

    package let operation: Operation
    /// Whether it is never asked for twice: it may change something.
    package let isOneShot: Bool
    package internal(set) var stage = Stage.unasked
    package internal(set) var wasLive = false
    /// What it asks for, complete: it goes out when those before it do.
    var completed: Operation?
    /// Whether its completion takes so long that those behind it do not wait for it.
    var isPassedBy = false
    /// How often it was postponed in a row.
    var postponements = 0
    var liveSince = Duration.zero

    /// Whether the server has nothing of it.
    var isUnsent: Bool { stage == .unasked || stage == .preparing || stage == .postponed }
}
