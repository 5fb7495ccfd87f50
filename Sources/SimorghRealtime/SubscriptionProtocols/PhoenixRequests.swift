// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The unanswered requests of a Phoenix connection, and its heartbeat.
struct PhoenixRequests<Request: Sendable>: Sendable {
    /// The timer of the heartbeat.
    static var heartbeatTimer: SubscriptionTimer { "heartbeat" }

    /// The interval of the heartbeat.
    let interval: Duration
    private var last = 0
    private var waiting: [String: Request] = [:]
    private var heartbeat: String?

    init(heartbeat interval: Duration) { self.interval = interval }

    /// The action that starts the heartbeat.
    var begin: SubscriptionAction { .startTimer(Self.heartbeatTimer, interval) }

    /// Adds a request and returns its reference.
    mutating func next(_ request: Request) -> String {
        let reference = count()
        waiting[reference] = request
        return reference
    }

    /// Removes and returns the request of a reply; `nil` for a heartbeat or an unknown reference.
    mutating func answered(_ reference: String?) -> Request? {
        guard let reference else { return nil }
        if heartbeat == reference { heartbeat = nil }
        return waiting.removeValue(forKey: reference)
    }

    /// Removes and returns the requests that match, in the order they were added.
    mutating func remove(where isIncluded: (Request) -> Bool) -> [Request] {
        let references = waiting.filter { isIncluded($0.value) }.keys.sorted { (Int($0) ?? 0) < (Int($1) ?? 0) }
        return references.compactMap { waiting.removeValue(forKey: $0) }
    }

    /// Returns a heartbeat while reading is paused, when answers cannot be expected.
    mutating func heartbeatWhilePaused() -> [SubscriptionAction] {
        heartbeat = nil
        return sendHeartbeat()
    }

    /// Returns a heartbeat; reconnects if the previous heartbeat was not answered.
    mutating func sendHeartbeat() -> [SubscriptionAction] {
        guard heartbeat == nil else {
            return [
                .reconnect(SubscriptionError(.timedOut, message: "no answer to a heartbeat within \(interval.shown)"))
            ]
        }
        let reference = count()
        heartbeat = reference
        let message = PhoenixMessage(joinReference: nil, reference: reference, topic: "phoenix", event: "heartbeat")
        return ((try? message.action()).map { [$0] } ?? []) + [begin]
    }

    private mutating func count() -> String {
        last += 1
        return last.description
    }
}
