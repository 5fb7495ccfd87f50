// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The state of the two path monitors of an Apple platform: their latest paths, and when to report them.
///
/// It has no clock: each event passes the time since an arbitrary start.
package struct PathWatchStateMachine: Sendable {
    /// A path monitor.
    package enum Monitor: Hashable, Sendable, CaseIterable {
        /// The monitor of the path to the internet.
        case general
        /// The monitor of paths through tunnels, which may exist beside the default path.
        case tunnel
    }

    /// The actions after an event.
    package enum Action: Equatable, Sendable {
        /// Report the current status to all watchers.
        case report
        /// Pass the current status to the queries that wait for it.
        case answer
        /// Call ``timerFired(at:)`` after a delay.
        case checkAgain(after: Duration)
        /// Call ``routeCheckDue()`` after a delay.
        case checkRoutes(after: Duration)
    }

    /// The longest wait for the first paths; 250 ms.
    package static let settleTimeout = Duration.milliseconds(250)
    /// The time from an update of a path to another look at the kernel's routes; two seconds.
    ///
    /// The path monitors report a new tunnel, but not the routes that its program adds afterward.
    package static let routeCheckDelay = Duration.seconds(2)

    /// The latest path of each monitor.
    package private(set) var paths: [Monitor: ApplePath] = [:]
    private var debouncer = PathDebouncer()
    private var isTimeoutOver = false
    private var isRouteCheckScheduled = false
    private var hasChangedSinceSchedule = false

    package init() {}

    /// True if the status is complete: both monitors have reported, or the general one has and the timeout has passed.
    package var isSettled: Bool { paths[.general] != nil && (paths[.tunnel] != nil || isTimeoutOver) }

    /// True if a query need not wait: the status is complete, or the timeout has passed.
    package var canAnswer: Bool { isSettled || isTimeoutOver }

    /// Handles a path that a monitor reported.
    ///
    /// - Parameters:
    ///   - monitor: The monitor.
    ///   - path: Its path.
    ///   - now: The current time.
    /// - Returns: The actions.
    package mutating func pathUpdated(_ monitor: Monitor, to path: ApplePath, at now: Duration) -> [Action] {
        let wasSettled = isSettled
        let isFirst = paths[monitor] == nil
        paths[monitor] = path
        let isConnected = paths[.general]?.status == .satisfied
        let step = debouncer.pathUpdated(isConnected: isConnected, isFirst: isFirst, at: now)
        guard isSettled else { return actions(step) }
        return (wasSettled ? actions(step) : [.report, .answer]) + routeCheck()
    }

    /// Handles the end of the delay of ``Action/checkAgain(after:)``.
    ///
    /// - Parameter now: The current time.
    /// - Returns: The actions.
    package mutating func timerFired(at now: Duration) -> [Action] { actions(debouncer.timerFired(at: now)) }

    /// Handles the end of ``settleTimeout`` after the start.
    ///
    /// - Returns: The actions. Waiting queries get the best answer that is known, even without a path.
    package mutating func timeoutPassed() -> [Action] {
        let wasSettled = isSettled
        isTimeoutOver = true
        guard !wasSettled else { return [] }
        return isSettled ? [.report, .answer] : [.answer]
    }

    /// Handles the end of the delay of ``Action/checkRoutes(after:)``.
    ///
    /// - Returns: The actions.
    package mutating func routeCheckDue() -> [Action] {
        isRouteCheckScheduled = false
        guard isSettled else { return [] }
        return [.report] + (hasChangedSinceSchedule ? routeCheck() : [])
    }

    private mutating func routeCheck() -> [Action] {
        hasChangedSinceSchedule = isRouteCheckScheduled
        guard !isRouteCheckScheduled else { return [] }
        isRouteCheckScheduled = true
        return [.checkRoutes(after: Self.routeCheckDelay)]
    }

    private func actions(_ step: PathDebouncer.Step) -> [Action] {
        switch step {
        case .nothing: []
        case .report: isSettled ? [.report] : []
        case .wait(let delay): [.checkAgain(after: delay)]
        }
    }
}
