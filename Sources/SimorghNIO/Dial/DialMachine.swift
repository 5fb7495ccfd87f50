// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore

/// The way from a name to one connection (Happy Eyeballs, RFC 8305), without a socket, a resolver or a clock.
///
/// Both families are looked up at once. IPv6 is tried as soon as it is there, IPv4 alone 50 ms later at the latest; then the
/// families take turns, the next address 250 ms after the last or as soon as that has failed. The first that connects wins,
/// and all others are closed. One limit holds over all of it.
package struct DialMachine<Address: Sendable>: Sendable {
    package typealias Family = AddressFamily

    package enum Timer: Hashable, Sendable, CaseIterable {
        /// How long IPv4 waits for IPv6.
        case resolution
        /// How long an address is alone before the next is tried, too.
        case stagger
        /// How long it may take in all.
        case limit
    }

    package enum Action: Sendable {
        /// Ask for the addresses of both families; each is answered once.
        case lookUp
        case cancelLookups
        case startTimer(Timer, Duration)
        case cancelTimer(Timer)
        /// Connect to an address; the number names the attempt from now on.
        case connect(Int, Address)
        /// Close what the attempt has opened, or is opening.
        case close(Int)
        case succeed(Int)
        case fail(DialFailure.Kind)
    }

    private enum Phase {
        case idle
        /// No address to try yet.
        case resolving
        /// IPv4 waits for IPv6.
        case delaying
        case connecting
        case over
    }

    package static var resolutionDelay: Duration { .milliseconds(50) }
    package static var staggerDelay: Duration { .milliseconds(250) }
    /// More addresses of one family than this are not tried.
    package static var mostAddresses: Int { 32 }

    private var phase = Phase.idle
    private var unanswered: Set<Family> = []
    /// What was not tried yet, the best last.
    private var untried: [Family: [Address]] = [:]
    private var lastTried = Family.ipv4
    private var running: Set<Int> = []
    private var attempts = 0
    private var timers: Set<Timer> = []

    package init() {}

    /// Whether it has come to its end.
    package var isOver: Bool { phase == .over }

    /// Begins.
    ///
    /// - Parameter limit: How long it may take in all.
    /// - Returns: What to do.
    package mutating func begin(limit: Duration) -> [Action] {
        guard phase == .idle else { return [] }
        phase = .resolving
        unanswered = Set(Family.allCases)
        return [start(.limit, limit), .lookUp]
    }

    /// A family was looked up.
    ///
    /// - Parameters:
    ///   - family: The family.
    ///   - addresses: Its addresses, the best first; none where the lookup failed.
    /// - Returns: What to do.
    package mutating func resolved(_ family: Family, _ addresses: [Address]) -> [Action] {
        // An answer that is late is for nobody.
        guard phase != .over, unanswered.remove(family) != nil else { return [] }
        untried[family] = addresses.prefix(Self.mostAddresses).reversed()
        switch phase {
        case .idle, .over: return []
        case .resolving where family == .ipv4 && !addresses.isEmpty && !unanswered.isEmpty:
            phase = .delaying
            return [start(.resolution, Self.resolutionDelay)]
        case .resolving where addresses.isEmpty: return unanswered.isEmpty ? end(.noAddress) : []
        case .resolving, .delaying:
            phase = .connecting
            return cancel(.resolution) + next()
        case .connecting:
            // Nobody waits behind an address that has failed.
            guard running.isEmpty || !timers.contains(.stagger) else { return [] }
            return hasUntried ? cancel(.stagger) + next() : next()
        }
    }

    /// A timer that was started has fired.
    package mutating func fired(_ timer: Timer) -> [Action] {
        guard phase != .over, timers.remove(timer) != nil else { return [] }
        switch timer {
        case .limit: return end(.timedOut)
        case .stagger: return next()
        case .resolution:
            phase = .connecting
            return next()
        }
    }

    /// An attempt has failed.
    package mutating func failed(_ attempt: Int) -> [Action] {
        // Those that we close ourselves fail, too.
        guard phase != .over, running.remove(attempt) != nil else { return [] }
        return hasUntried ? cancel(.stagger) + next() : next()
    }

    /// An attempt has connected.
    package mutating func connected(_ attempt: Int) -> [Action] {
        // It connected while we were closing it.
        guard phase != .over, running.remove(attempt) != nil else { return [.close(attempt)] }
        return finish() + [.succeed(attempt)]
    }

    /// Nobody wants the connection any more.
    package mutating func cancel() -> [Action] { phase == .over ? [] : end(.cancelled) }

    private var hasUntried: Bool { untried.values.contains { !$0.isEmpty } }

    /// Tries the next address, of the other family if there is one.
    private mutating func next() -> [Action] {
        let other: Family = lastTried == .ipv4 ? .ipv6 : .ipv4
        for family in [other, lastTried] {
            guard let address = untried[family]?.popLast() else { continue }
            lastTried = family
            attempts += 1
            running.insert(attempts)
            return [.connect(attempts, address), start(.stagger, Self.staggerDelay)]
        }
        return running.isEmpty && unanswered.isEmpty ? end(.unreachable) : []
    }

    private mutating func end(_ failure: DialFailure.Kind) -> [Action] { finish() + [.fail(failure)] }

    private mutating func finish() -> [Action] {
        phase = .over
        var actions = Timer.allCases.flatMap { cancel($0) }
        if !unanswered.isEmpty { actions.append(.cancelLookups) }
        actions += running.sorted().map { .close($0) }
        (running, untried, unanswered) = ([], [:], [])
        return actions
    }

    private mutating func start(_ timer: Timer, _ time: Duration) -> Action {
        timers.insert(timer)
        return .startTimer(timer, time)
    }

    private mutating func cancel(_ timer: Timer) -> [Action] {
        timers.remove(timer) == nil ? [] : [.cancelTimer(timer)]
    }
}

extension DialMachine.Action: Equatable where Address: Equatable {}
