// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Decides when the system's completion handler for background events is called: once for each delivery.
///
/// The delivery and the handler come in either order, because a manager may exist before the app gets the handler.
package struct BackgroundCompletionStateMachine: Sendable {
    /// The handlers to call and the waiting calls to resume now.
    package struct Completion: Sendable, Equatable {
        /// True if the handler of the app is to be called and removed.
        package var callsHandler = false
        /// The numbers of the waiting calls.
        package var waiters: Set<Int> = []

        package init(callsHandler: Bool = false, waiters: Set<Int> = []) {
            (self.callsHandler, self.waiters) = (callsHandler, waiters)
        }
    }

    /// The time for which a delivery without a handler is remembered.
    ///
    /// The system hands over the handler right after the launch; a later one belongs to a later delivery.
    package static let memory = Duration.seconds(30)

    /// True if a handler waits for a delivery.
    package private(set) var hasHandler = false
    private var waiters: Set<Int> = []
    /// The time of a delivery that no handler or waiting call has consumed.
    private var delivered: Duration?

    package init() {}

    /// Records that the system has delivered all events, and that the manager has handled them.
    ///
    /// - Parameter now: The time, on a clock that does not go back.
    /// - Returns: The completion.
    package mutating func eventsHandled(at now: Duration) -> Completion {
        delivered = now
        return complete(at: now)
    }

    /// Records that the app has set or removed its handler.
    ///
    /// - Parameters:
    ///   - isSet: True if there is a handler.
    ///   - now: The time.
    /// - Returns: The completion.
    package mutating func handlerChanged(isSet: Bool, at now: Duration) -> Completion {
        hasHandler = isSet
        return complete(at: now)
    }

    /// Adds a waiting call.
    ///
    /// - Parameters:
    ///   - waiter: The number of the call.
    ///   - now: The time.
    /// - Returns: The completion.
    package mutating func wait(_ waiter: Int, at now: Duration) -> Completion {
        waiters.insert(waiter)
        return complete(at: now)
    }

    /// Removes a cancelled call.
    ///
    /// - Parameter waiter: The number of the call.
    /// - Returns: True if it was waiting.
    package mutating func cancel(_ waiter: Int) -> Bool { waiters.remove(waiter) != nil }

    private mutating func complete(at now: Duration) -> Completion {
        guard hasHandler || !waiters.isEmpty, let time = delivered else { return Completion() }
        delivered = nil
        guard now - time <= Self.memory else { return Completion() }
        defer { (hasHandler, waiters) = (false, []) }
        return Completion(callsHandler: hasHandler, waiters: waiters)
    }
}
