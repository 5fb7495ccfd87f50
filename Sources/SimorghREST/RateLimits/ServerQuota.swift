// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// State machine of the limits that a server states for one part of its quota.
///
/// Requests that are in flight count as used. At the end of a window nothing is known of the next one, so only as many
/// requests are sent as were left before, but at least one; a response tells the rest. Times count from an arbitrary
/// start.
package struct ServerQuota: Sendable {
    /// The decision about the next request.
    package enum Turn: Sendable, Hashable {
        case allowed
        /// The request waits at most this long, for a limit; `nil` for the first response of the server.
        ///
        /// `isCertain` is true if the quota is used up, and false if a response may end the wait.
        case wait(Duration, because: ServerRateLimit?, isCertain: Bool)
    }

    private struct Entry {
        var limit: ServerRateLimit
        /// The end of the window; `nil` if it is unknown.
        var end: Duration?
        /// The number of the last request that was sent before the response with this limit arrived.
        var number: UInt64
    }

    /// The maximum number of limits; beyond it the oldest is removed.
    package static let capacity = 8
    /// The time after which one more request may be sent although no response has arrived.
    package static let probeInterval = Duration.seconds(1)

    private var entries: [Entry] = []
    /// True if a response has arrived.
    private var isKnown: Bool
    /// The number of requests in flight.
    private var pending = 0
    /// The number of the last request, and the time at which it was sent.
    private var last: (number: UInt64, time: Duration) = (0, .zero)

    /// Creates the state.
    ///
    /// - Parameter isKnown: False if the first request is sent alone, because the server's limits are unknown.
    package init(isKnown: Bool = false) { self.isKnown = isKnown }

    /// Decides about the next request, without counting it.
    package func turn(now: Duration) -> Turn {
        let nextProbe = max(.zero, last.time + Self.probeInterval - now)
        var turn = Turn.allowed
        var longest = Duration.zero
        func hold(_ wait: Duration, _ limit: ServerRateLimit?, isCertain: Bool) {
            guard wait > longest else { return }
            longest = wait
            turn = .wait(wait, because: limit, isCertain: isCertain)
        }
        if !isKnown, pending > 0 { hold(nextProbe, nil, isCertain: false) }
        for entry in entries where entry.limit.unit == "requests" {
            if let end = entry.end, end > now {
                let isUsedUp = entry.limit.remaining <= 0
                if isUsedUp || pending >= entry.limit.remaining { hold(end - now, entry.limit, isCertain: isUsedUp) }
            } else if pending >= max(1, entry.limit.remaining) {
                hold(nextProbe, entry.limit, isCertain: false)
            }
        }
        return turn
    }

    /// Counts a request that is sent now.
    ///
    /// - Returns: The number of the request.
    package mutating func sent(now: Duration) -> UInt64 {
        pending += 1
        last = (last.number + 1, now)
        return last.number
    }

    /// Applies a response.
    ///
    /// - Parameters:
    ///   - limits: The limits that it states.
    ///   - number: The number of its request; `nil` if the request was not counted.
    ///   - now: The current time.
    ///   - date: The current date.
    ///   - longest: The longest wait that the server may ask for.
    package mutating func answered(
        _ limits: [ServerRateLimit], to number: UInt64?, now: Duration, date: Date, longest: Duration
    ) {
        ended(number, wasSent: true, except: limits)
        isKnown = true
        for limit in limits { merge(limit, number: number ?? last.number, now: now, date: date, longest: longest) }
        entries.removeAll { entry in
            !limits.contains(where: entry.limit.isSameLimit) && entry.end.map { $0 <= now } ?? true
        }
    }

    /// Ends a request without a response.
    ///
    /// - Parameters:
    ///   - number: The number of the request; `nil` if it was not counted.
    ///   - wasSent: True if the server may have counted it.
    ///   - limits: The limits that the response states.
    package mutating func ended(_ number: UInt64?, wasSent: Bool, except limits: [ServerRateLimit] = []) {
        guard number != nil else { return }
        pending -= 1
        guard wasSent else { return }
        for index in entries.indices where !limits.contains(where: entries[index].limit.isSameLimit) {
            guard entries[index].limit.unit == "requests" else { continue }
            entries[index].limit.remaining = max(0, entries[index].limit.remaining - 1)
        }
    }

    private mutating func merge(
        _ limit: ServerRateLimit, number: UInt64, now: Duration, date: Date, longest: Duration
    ) {
        var new = Entry(limit: limit, end: nil, number: last.number)
        if let index = entries.firstIndex(where: { $0.limit.isSameLimit(as: limit) }) {
            let old = entries.remove(at: index)
            // Requests and responses arrive in any order: that of a request which was on its way when the old limit arrived
            // may not know of other requests, so it does not raise the limit.
            if number <= old.number, limit.remaining > old.limit.remaining, old.end.map({ $0 > now }) == true {
                entries.append(old)
                return
            }
            // A server need not repeat its policy.
            new.limit.limit = limit.limit ?? old.limit.limit
            if limit.window == nil { (new.limit.window, new.limit.unit) = (old.limit.window, old.limit.unit) }
        }
        let seconds = limit.reset?.timeIntervalSince(date)
        if let wait = seconds.map({ Duration.seconds(min(max(0, $0), 3.2e9)) }) ?? new.limit.window {
            let wait = min(wait, max(.zero, longest))
            new.end = now + wait
            new.limit.reset = date.addingTimeInterval(wait / .seconds(1))
        }
        entries.append(new)
        if entries.count > Self.capacity { entries.removeFirst() }
    }

    /// Returns the limits whose window has not ended.
    package func limits(now: Duration) -> [ServerRateLimit] {
        entries.filter { entry in entry.end.map { $0 > now } ?? true }.map(\.limit)
    }
}

extension ServerRateLimit {
    /// Returns true if both state the same limit, at different times.
    fileprivate func isSameLimit(as other: ServerRateLimit) -> Bool {
        source == other.source && policy == other.policy && partition == other.partition
    }
}
