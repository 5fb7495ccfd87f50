// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// How often a request goes out, and over what: what follows from how each attempt without an answer ended.
package struct ResendRule: Sendable {
    /// How an attempt ended after which the request may go out again without harm.
    package enum End: Sendable, Equatable, CaseIterable {
        /// A connection that had idled was over before anything left; others like it may well be alive.
        case idleEnded
        /// A new connection was over before anything left.
        case newEnded
        /// A connection that had idled ended without an answer, and the request may be repeated.
        case unanswered
        /// The server did not look at the request.
        case unprocessed
        /// Nothing left, since a connection that is shared could not take it any more.
        case unsent
    }

    /// How often a request goes out that servers do not take.
    package static let mostAttempts = 4
    /// How often it may meet a connection that cannot take it any more, so that none of it left.
    package static let mostMisses = 16

    /// Which attempt this is; what never left was none.
    package private(set) var attempts = 1
    /// Whether only a connection that has carried nothing will do.
    ///
    /// The others that idle are closed for it.
    package private(set) var needsFresh = false
    private var misses = 0
    private var hasMetIdleEnd = false
    private var hasMetNewEnd = false

    package init() {}

    /// Whether the request goes out again.
    ///
    /// - Parameter end: How the last attempt ended.
    /// - Returns: Whether it does; then ``needsFresh`` says over what.
    package mutating func goesOn(after end: End) -> Bool {
        switch end {
        case .idleEnded:
            guard !needsFresh else { return false }
            // One that ended says little of the others that idle; a second one does.
            needsFresh = hasMetIdleEnd
            hasMetIdleEnd = true
        case .newEnded:
            // A server that ends new connections, too, is not asked once more because an old one had ended. It may be at
            // its limit: then those that idle are the ones it has let in, and are good.
            guard !needsFresh, !hasMetIdleEnd, !hasMetNewEnd else { return false }
            hasMetNewEnd = true
        case .unanswered:
            guard !needsFresh else { return false }
            needsFresh = true
            attempts += 1
        case .unprocessed:
            guard attempts < Self.mostAttempts else { return false }
            attempts += 1
        case .unsent:
            guard misses < Self.mostMisses else { return false }
            misses += 1
        }
        return true
    }

    /// The request goes out again in another form, as the server wants it.
    package mutating func changes() { attempts += 1 }
}
