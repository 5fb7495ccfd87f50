// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore

/// A state machine that decides when and in which order a SOCKS proxy is asked for the addresses of a name that the
/// client resolves; without a socket, a resolver or a clock.
///
/// As with Happy Eyeballs, it starts with the family that is resolved first, and waits a moment for the preferred one.
/// Here IPv4 is preferred, because the client cannot know whether the proxy has an IPv6 route. The families alternate.
/// The next address is tried when the proxy could not reach the last one: two requests at once would make the proxy
/// open both connections.
package struct ProxyTargetStateMachine: Sendable {
    package enum Action: Equatable, Sendable {
        case startTimer(Duration)
        case cancelTimer
        /// Ask for an address; the remaining time is to be divided by `sharers`.
        case ask(String, sharers: Int)
        /// Fail: there is no address left.
        case giveUp
    }

    /// The time that IPv6 waits for IPv4.
    package static let resolutionDelay = Duration.milliseconds(50)
    /// The maximum number of addresses of one name to ask for.
    package static let maximumAddresses = 8

    private var unanswered: Set<AddressFamily> = Set(AddressFamily.allCases)
    /// The addresses that were not tried yet, the best last.
    private var untried: [AddressFamily: [String]] = [:]
    private var lastTried = AddressFamily.ipv6
    private var attempts = 0
    private var isAsking = false
    private var isDelaying = false
    private var isOver = false

    package init() {}

    /// True if the proxy is being asked for an address, which has its own share of the time.
    package var isBusy: Bool { isAsking }

    /// Records the result of the lookup of one family.
    ///
    /// - Parameters:
    ///   - family: The family.
    ///   - addresses: Its addresses, the best first; empty if the lookup failed.
    /// - Returns: The actions to perform.
    package mutating func resolved(_ family: AddressFamily, addresses: [String]) -> [Action] {
        guard !isOver, unanswered.remove(family) != nil else { return [] }
        untried[family] = addresses.prefix(Self.maximumAddresses).reversed()
        guard !isAsking else { return [] }
        if family == .ipv6, attempts == 0, !addresses.isEmpty, !unanswered.isEmpty {
            isDelaying = true
            return [.startTimer(Self.resolutionDelay)]
        }
        // If IPv4 has no addresses, IPv6 need not wait any longer.
        return stopDelaying() + next()
    }

    /// Records that the timer has fired.
    package mutating func timerFired() -> [Action] {
        guard !isOver, isDelaying else { return [] }
        isDelaying = false
        return next()
    }

    /// Records that the proxy could not reach the address.
    package mutating func refused() -> [Action] {
        guard !isOver, isAsking else { return [] }
        isAsking = false
        return next()
    }

    /// Ends the dial: the proxy has opened a tunnel, or the dial has failed.
    package mutating func end() -> [Action] {
        guard !isOver else { return [] }
        isOver = true
        return stopDelaying()
    }

    private mutating func stopDelaying() -> [Action] {
        guard isDelaying else { return [] }
        isDelaying = false
        return [.cancelTimer]
    }

    /// Asks for the next address, of the other family if it has one; waits if a family is still being looked up.
    private mutating func next() -> [Action] {
        let other: AddressFamily = lastTried == .ipv4 ? .ipv6 : .ipv4
        for family in [other, lastTried] where attempts < Self.maximumAddresses {
            guard let address = untried[family]?.popLast() else { continue }
            lastTried = family
            attempts += 1
            isAsking = true
            let left = min(
                untried.values.reduce(0) { $0 + $1.count } + unanswered.count, Self.maximumAddresses - attempts)
            return [.ask(address, sharers: 1 + left)]
        }
        guard unanswered.isEmpty || attempts >= Self.maximumAddresses else { return [] }
        isOver = true
        return [.giveUp]
    }
}
