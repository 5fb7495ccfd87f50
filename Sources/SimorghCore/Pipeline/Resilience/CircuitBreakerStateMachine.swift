// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// State machine of one circuit breaker; the owner passes in the time.
package struct CircuitBreakerStateMachine: Sendable {
    /// A permit for one attempt, with which the owner reports its outcome.
    package struct Ticket: Sendable, Equatable {
        /// The period of the breaker in which the permit was issued; outcomes of earlier periods are ignored.
        fileprivate let period: Int
    }

    /// The decision about an attempt.
    package enum Admission: Sendable, Equatable {
        case allowed(Ticket)
        /// The attempt is rejected; it may be tried again after this time.
        case refused(for: Duration)
    }

    /// The outcome of an attempt.
    package enum Outcome: Sendable, Equatable {
        case success, failure
        /// Cancelled or never sent: the attempt says nothing about the origin.
        case neither
    }

    /// A change of the breaker.
    package enum Change: Sendable, Equatable { case none, opened, closed }

    private enum State: Sendable {
        case closed
        case open(until: Duration)
        case halfOpen(running: Int, succeeded: Int)
    }

    private struct Slot: Sendable {
        var number: Int64 = -1
        var attempts = 0
        var failures = 0
    }

    private static let slotCount: Int64 = 10

    private let settings: CircuitBreaker
    private let slotLength: Duration
    private var state = State.closed
    private var period = 0
    private var slots = [Slot](repeating: Slot(), count: Int(Self.slotCount))

    package init(_ settings: CircuitBreaker) {
        self.settings = settings
        slotLength = max(.milliseconds(1), settings.window / Int(Self.slotCount))
    }

    /// True if the breaker is open.
    package var isOpen: Bool {
        if case .open = state { return true }
        return false
    }

    /// Decides about a new attempt.
    package mutating func admit(now: Duration) -> Admission {
        switch state {
        case .closed: return .allowed(Ticket(period: period))
        case .open(let until):
            guard now >= until else { return .refused(for: until - now) }
            state = .halfOpen(running: 1, succeeded: 0)
            period += 1
            return .allowed(Ticket(period: period))
        case .halfOpen(let running, let succeeded):
            guard running + succeeded < max(1, settings.probes) else { return .refused(for: .zero) }
            state = .halfOpen(running: running + 1, succeeded: succeeded)
            return .allowed(Ticket(period: period))
        }
    }

    /// Records the outcome of an attempt.
    package mutating func ended(_ ticket: Ticket, outcome: Outcome, now: Duration) -> Change {
        guard ticket.period == period else { return .none }  // It began before the breaker opened or closed.
        switch state {
        case .closed:
            guard outcome != .neither, count(isFailure: outcome == .failure, now: now) else { return .none }
            return open(now: now)
        case .open: return .none  // Attempts in flight when the breaker opened belong to an earlier period.
        case .halfOpen(let running, let succeeded):
            switch outcome {
            case .failure: return open(now: now)
            case .neither:
                state = .halfOpen(running: running - 1, succeeded: succeeded)
                return .none
            case .success where succeeded + 1 >= max(1, settings.probes):
                state = .closed
                period += 1
                slots = [Slot](repeating: Slot(), count: slots.count)
                return .closed
            case .success:
                state = .halfOpen(running: running - 1, succeeded: succeeded + 1)
                return .none
            }
        }
    }

    private mutating func open(now: Duration) -> Change {
        state = .open(until: now + max(.zero, settings.openDuration))
        period += 1
        return .opened
    }

    /// Counts an attempt.
    ///
    /// - Returns: True if the failures exceed both thresholds.
    private mutating func count(isFailure: Bool, now: Duration) -> Bool {
        let number = Int64(min(now / slotLength, 1e15))
        let index = Int(number % Self.slotCount)
        if slots[index].number != number { slots[index] = Slot(number: number) }
        slots[index].attempts += 1
        guard isFailure else { return false }
        slots[index].failures += 1
        let recent = slots.filter { $0.number > number - Self.slotCount }
        let failures = recent.reduce(0) { $0 + $1.failures }
        let attempts = recent.reduce(0) { $0 + $1.attempts }
        return failures >= max(1, settings.failureThreshold)
            && Double(failures) >= settings.failureRatio * Double(attempts)
    }
}
