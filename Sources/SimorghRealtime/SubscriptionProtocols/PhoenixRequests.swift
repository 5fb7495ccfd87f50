// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// What was asked over a connection of Phoenix and is not answered yet, the heartbeat among it.
struct PhoenixRequests<Request: Sendable>: Sendable {
    /// Runs from one heartbeat to the next.
    static var heart: SubscriptionTimer { "heartbeat" }

    /// How often the server is told that this side lives.
    let interval: Duration
    private var last = 0
    private var waiting: [String: Request] = [:]
    private var heartbeat: String?

    init(heartbeat interval: Duration) { self.interval = interval }

    /// Begins to tell that this side lives.
    var begin: SubscriptionAction { .startTimer(Self.heart, interval) }

    /// Notes a request, and gives its reference.
    mutating func next(_ request: Request) -> String {
        let reference = count()
        waiting[reference] = request
        return reference
    }

    /// Takes out what an answer belongs to; `nil` for a heartbeat, and for what nobody asked.
    mutating func answered(_ reference: String?) -> Request? {
        guard let reference else { return nil }
        if heartbeat == reference { heartbeat = nil }
        return waiting.removeValue(forKey: reference)
    }

    /// Takes out the requests that get no answer any more.
    mutating func remove(where isMeant: (Request) -> Bool) -> [Request] {
        let references = waiting.filter { isMeant($0.value) }.keys.sorted { (Int($0) ?? 0) < (Int($1) ?? 0) }
        return references.compactMap { waiting.removeValue(forKey: $0) }
    }

    /// Tells that this side lives while nothing is read: answers cannot be expected.
    mutating func beatUnread() -> [SubscriptionAction] {
        heartbeat = nil
        return beat()
    }

    /// Tells that this side lives; a server that has not answered the last time is lost.
    mutating func beat() -> [SubscriptionAction] {
        guard heartbeat == nil else {
            return [.reconnect(SubscriptionError(.timedOut, "a heartbeat was not answered after \(interval.shown)"))]
        }
        let reference = count()
        heartbeat = reference
        let message = PhoenixMessage(nil, reference, "phoenix", "heartbeat")
        return ((try? message.action()).map { [$0] } ?? []) + [begin]
    }

    private mutating func count() -> String {
        last += 1
        return last.description
    }
}
