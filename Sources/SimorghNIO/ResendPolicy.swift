// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The policy that decides from the ends of earlier attempts whether a request is sent again, and over which
/// connection.
package struct ResendPolicy: Sendable {
    /// A way in which an attempt ended after which the request may safely be sent again.
    package enum End: Sendable, Equatable, CaseIterable {
        /// An idle connection ended before any byte was sent; others like it may still be alive.
        case idleEnded
        /// A new connection ended before any byte was sent.
        case newEnded
        /// An idle connection ended without a response, and the request may be repeated.
        case unanswered
        /// The server did not process the request.
        case unprocessed
        /// No byte was sent, because a shared connection could no longer take the request.
        case unsent
    }

    /// The maximum number of attempts for a request that servers reject unprocessed.
    package static let maximumAttempts = 4
    /// The maximum number of connections that can no longer take the request, so that no byte was sent.
    package static let maximumUnsentAttempts = 16

    /// The number of this attempt; attempts that sent no byte do not count.
    package private(set) var attempts = 1
    /// True if the next attempt needs a connection that has not carried a request.
    ///
    /// The pool then closes the idle connections to the host.
    package private(set) var needsFresh = false
    private var misses = 0
    private var hasMetIdleEnd = false
    private var hasMetNewEnd = false

    package init() {}

    /// Decides whether the request is sent again.
    ///
    /// - Parameter end: The end of the last attempt.
    /// - Returns: True if it is; then ``needsFresh`` says whether it needs a new connection.
    package mutating func shouldResend(after end: End) -> Bool {
        switch end {
        case .idleEnded:
            guard !needsFresh else { return false }
            // One ended connection says little about the other idle ones; a second one does.
            needsFresh = hasMetIdleEnd
            hasMetIdleEnd = true
        case .newEnded:
            // A server that ends new connections as well is not tried again only because an old one had ended. The
            // server may be at its connection limit; then the idle connections are the ones that it has accepted, and
            // are good.
            guard !needsFresh, !hasMetIdleEnd, !hasMetNewEnd else { return false }
            hasMetNewEnd = true
        case .unanswered:
            guard !needsFresh else { return false }
            needsFresh = true
            attempts += 1
        case .unprocessed:
            guard attempts < Self.maximumAttempts else { return false }
            attempts += 1
        case .unsent:
            guard misses < Self.maximumUnsentAttempts else { return false }
            misses += 1
        }
        return true
    }

    /// Records that the request is sent again in another form that the server requires.
    package mutating func changes() { attempts += 1 }
}
