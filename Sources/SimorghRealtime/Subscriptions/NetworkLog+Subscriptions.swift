// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

extension NetworkLog {
    /// Logs that a message with a subscription ID that this connection never used was ignored.
    func writeUnknownSubscriptionID() {
        guard level >= .standard else { return }
        write(entry("subscriptions message with an unknown id ignored"))
    }

    /// Logs a change of the connection's state.
    func write(_ state: SubscriptionState) {
        guard level >= .standard else { return }
        var entry: LogEntry
        switch state {
        case .idle: return
        case .connecting(let attempt):
            entry = self.entry("subscriptions connecting")
            entry.attempt = attempt
        case .connected: entry = self.entry("subscriptions connected")
        case .reconnecting(let attempt, let delay):
            entry = self.entry("subscriptions reconnecting")
            entry.attempt = attempt
            entry.facts.append(("after", Self.milliseconds(delay)))
        case .disconnected: entry = self.entry("subscriptions disconnected")
        }
        write(entry)
    }
}
