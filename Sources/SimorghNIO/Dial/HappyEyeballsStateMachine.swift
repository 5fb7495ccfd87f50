// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore

/// A state machine that connects to a name (Happy Eyeballs, RFC 8305), without a socket, a resolver or a clock.
///
/// Both address families are looked up at once. IPv6 is tried as soon as its addresses arrive; IPv4 waits for them at
/// most 50 ms. Then the families alternate: the next address is tried 250 ms after the last one, or as soon as that
/// has failed. The first attempt that connects wins, and all others are closed. One time limit applies to the whole
/// dial.
package struct HappyEyeballsStateMachine<Address: Sendable>: Sendable {
    package typealias Family = AddressFamily

    package enum Timer: Hashable, Sendable, CaseIterable {
        /// Ends the time that IPv4 waits for IPv6.
        case resolution
        /// Ends the time in which an address is tried alone.
        case stagger
        /// Ends the time for the whole dial.
        case limit
    }

    package enum Action: Sendable {
        /// Look up the addresses of both families; each family is answered once.
        case lookUp
        case cancelLookups
        case startTimer(Timer, Duration)
        case cancelTimer(Timer)
        /// Connect to an address; the number identifies the attempt from now on.
        case connect(Int, Address)
        /// Close the channel that the attempt has opened, or is opening.
        case close(Int)
        case succeed(Int)
        case fail(DialError.Kind)
    }

    private enum Phase {
        case idle
        /// There is no address to try yet.
        case resolving
        /// IPv4 waits for IPv6.
        case delaying
        case connecting
        case over
    }

    package static var resolutionDelay: Duration { .milliseconds(50) }
    package static var staggerDelay: Duration { .milliseconds(250) }
    /// The maximum number of addresses of one family to try.
    package static var maximumAddresses: Int { 32 }

    private var phase = Phase.idle
    private var unanswered: Set<Family> = []
    /// The addresses that were not tried yet, the best last.
    private var untried: [Family: [Address]] = [:]
    private var lastTried = Family.ipv4
    private var running: Set<Int> = []
    private var attempts = 0
    private var timers: Set<Timer> = []

    package init() {}

    /// True if the dial has ended.
    package var isOver: Bool { phase == .over }

    /// Begins the dial.
    ///
    /// - Parameter limit: The time limit for the whole dial.
    /// - Returns: The actions to perform.
    package mutating func begin(limit: Duration) -> [Action] {
        guard phase == .idle else { return [] }
        phase = .resolving
        unanswered = Set(Family.allCases)
        return [start(.limit, after: limit), .lookUp]
    }

    /// Records the result of the lookup of one family.
    ///
    /// - Parameters:
    ///   - family: The family.
    ///   - addresses: Its addresses, the best first; empty if the lookup failed.
    /// - Returns: The actions to perform.
    package mutating func resolved(_ family: Family, addresses: [Address]) -> [Action] {
        // The dial has ended or the family was answered already: a late answer is ignored.
        guard phase != .over, unanswered.remove(family) != nil else { return [] }
        untried[family] = addresses.prefix(Self.maximumAddresses).reversed()
        switch phase {
        case .idle, .over: return []
        case .resolving where family == .ipv4 && !addresses.isEmpty && !unanswered.isEmpty:
            phase = .delaying
            return [start(.resolution, after: Self.resolutionDelay)]
        case .resolving where addresses.isEmpty: return unanswered.isEmpty ? end(.noAddress) : []
        case .resolving, .delaying:
            phase = .connecting
            return cancel(.resolution) + next()
        case .connecting:
            // Nothing to wait for: no attempt is running, or the stagger delay of the last one has passed.
            guard running.isEmpty || !timers.contains(.stagger) else { return [] }
            return hasUntried ? cancel(.stagger) + next() : next()
        }
    }

    /// Records that a timer has fired.
    package mutating func timerFired(_ timer: Timer) -> [Action] {
        guard phase != .over, timers.remove(timer) != nil else { return [] }
        switch timer {
        case .limit: return end(.timedOut)
        case .stagger: return next()
        case .resolution:
            phase = .connecting
            return next()
        }
    }

    /// Records that an attempt has failed.
    package mutating func failed(_ attempt: Int) -> [Action] {
        // Attempts that this machine closes also fail.
        guard phase != .over, running.remove(attempt) != nil else { return [] }
        return hasUntried ? cancel(.stagger) + next() : next()
    }

    /// Records that an attempt has connected.
    package mutating func connected(_ attempt: Int) -> [Action] {
        // The attempt connected while it was being closed.
        guard phase != .over, running.remove(attempt) != nil else { return [.close(attempt)] }
        return finish() + [.succeed(attempt)]
    }

    /// Cancels the dial.
    package mutating func cancel() -> [Action] { phase == .over ? [] : end(.cancelled) }

    private var hasUntried: Bool { untried.values.contains { !$0.isEmpty } }

    /// Tries the next address, of the other family if it has one.
    private mutating func next() -> [Action] {
        let other: Family = lastTried == .ipv4 ? .ipv6 : .ipv4
        for family in [other, lastTried] {
            guard let address = untried[family]?.popLast() else { continue }
            lastTried = family
            attempts += 1
            running.insert(attempts)
            return [.connect(attempts, address), start(.stagger, after: Self.staggerDelay)]
        }
        return running.isEmpty && unanswered.isEmpty ? end(.unreachable) : []
    }

    private mutating func end(_ failure: DialError.Kind) -> [Action] { finish() + [.fail(failure)] }

    private mutating func finish() -> [Action] {
        phase = .over
        var actions = Timer.allCases.flatMap { cancel($0) }
        if !unanswered.isEmpty { actions.append(.cancelLookups) }
        actions += running.sorted().map { .close($0) }
        (running, untried, unanswered) = ([], [:], [])
        return actions
    }

    private mutating func start(_ timer: Timer, after time: Duration) -> Action {
        timers.insert(timer)
        return .startTimer(timer, time)
    }

    private mutating func cancel(_ timer: Timer) -> [Action] {
        timers.remove(timer) == nil ? [] : [.cancelTimer(timer)]
    }
}

extension HappyEyeballsStateMachine.Action: Equatable where Address: Equatable {}
