// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore

/// Which addresses of a name a SOCKS proxy is asked for where the client looks names up, when, and in what order; without
/// a socket, a resolver or a clock.
///
/// As Happy Eyeballs does, it goes on with the family that is there, and gives the better one a moment. That is IPv4 here:
/// whether the proxy has a way to IPv6, nobody knows on this side of it. The families take turns, and the next address is
/// asked for when the proxy could not reach the last: to ask for two at once would make the proxy open both.
package struct ProxyTargets: Sendable {
    package enum Action: Equatable, Sendable {
        case startTimer(Duration)
        case cancelTimer
        /// Ask for an address; the time that is left is to be shared by so many.
        case ask(String, sharers: Int)
        /// There is none (left).
        case giveUp
    }

    /// How long IPv6 waits for IPv4.
    package static let resolutionDelay = Duration.milliseconds(50)
    /// More addresses of one name than this are not asked for.
    package static let most = 8

    private var unanswered: Set<AddressFamily> = Set(AddressFamily.allCases)
    /// What was not asked for yet, the best last.
    private var untried: [AddressFamily: [String]] = [:]
    private var lastTried = AddressFamily.ipv6
    private var asked = 0
    private var isAsking = false
    private var isDelaying = false
    private var isOver = false

    package init() {}

    /// Whether an address is being asked for, which has its own share of the time.
    package var isBusy: Bool { isAsking }

    /// A family was looked up.
    ///
    /// - Parameters:
    ///   - family: The family.
    ///   - addresses: Its addresses, the best first; none where the lookup failed.
    /// - Returns: What to do.
    package mutating func resolved(_ family: AddressFamily, _ addresses: [String]) -> [Action] {
        guard !isOver, unanswered.remove(family) != nil else { return [] }
        untried[family] = addresses.prefix(Self.most).reversed()
        guard !isAsking else { return [] }
        if family == .ipv6, asked == 0, !addresses.isEmpty, !unanswered.isEmpty {
            isDelaying = true
            return [.startTimer(Self.resolutionDelay)]
        }
        // Where IPv4 has none, IPv6 need not wait for it any longer.
        return stopDelaying() + next()
    }

    /// The timer has fired.
    package mutating func fired() -> [Action] {
        guard !isOver, isDelaying else { return [] }
        isDelaying = false
        return next()
    }

    /// The proxy could not reach what it was asked for.
    package mutating func refused() -> [Action] {
        guard !isOver, isAsking else { return [] }
        isAsking = false
        return next()
    }

    /// It is over: the proxy has let a connection through, or nothing more is to be asked for.
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

    /// Asks for the next address, of the other family if there is one; waits where a family is still looked up.
    private mutating func next() -> [Action] {
        let other: AddressFamily = lastTried == .ipv4 ? .ipv6 : .ipv4
        for family in [other, lastTried] where asked < Self.most {
            guard let address = untried[family]?.popLast() else { continue }
            lastTried = family
            asked += 1
            isAsking = true
            let left = min(untried.values.reduce(0) { $0 + $1.count } + unanswered.count, Self.most - asked)
            return [.ask(address, sharers: 1 + left)]
        }
        guard unanswered.isEmpty || asked >= Self.most else { return [] }
        isOver = true
        return [.giveUp]
    }
}
