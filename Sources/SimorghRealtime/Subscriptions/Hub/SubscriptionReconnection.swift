// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The timing of reconnections.
struct SubscriptionReconnection: Sendable {
    /// The number of attempts in a row, including the current one.
    private(set) var attempt = 0
    /// The number of the next attempt since the last stable connection, as counted by the reconnect policy.
    var failures: Int { max(1, machine.attempts) }
    /// The minimum wait before the next attempt, even if the network becomes available earlier.
    var minimumWait: Duration { machine.minimumWait }
    private var machine: ReconnectBackoff
    private let random: RandomSource
    /// The time at which the current handshake was completed.
    private var readySince: Duration?
    /// True if credentials have expired since the last stable connection.
    private var hasExpired = false

    init(_ policy: WebSocketReconnectPolicy, random: RandomSource) {
        machine = ReconnectBackoff(policy)
        self.random = random
    }

    /// Handles that an attempt begins.
    mutating func begin() {
        attempt += 1
        readySince = nil
    }

    /// Handles that the handshake is complete.
    mutating func ready(now: Duration) {
        readySince = now
        machine.connected()
    }

    /// Handles the end of the wait before an attempt.
    mutating func waited(_ time: Duration) { machine.waited(time) }

    /// Forgets all connections, because none is needed.
    mutating func end() {
        machine = ReconnectBackoff(machine.policy)
        reset()
    }

    /// Resets the count of attempts, because the caller asked for a connection.
    mutating func reset() {
        attempt = 0
        readySince = nil
        hasExpired = false
        machine.reset()
    }

    /// The time after which a connection or subscription counts as stable and resets its attempts.
    var stableAfter: Duration { Duration(clampingSeconds: machine.policy.stableAfter) }

    /// Returns a random fraction for jitter, from 0 up to 1.
    func fraction() -> Double { random.fraction() }

    /// Returns the wait before the n-th attempt at one subscription; `nil` after the maximum number of attempts.
    func wait(before attempt: Int, fraction: Double) -> Duration? {
        guard attempt <= machine.policy.maximumAttempts else { return nil }
        return machine.policy.delay(before: attempt) * (machine.policy.jitter == .full ? fraction : 1)
    }

    /// Returns the wait before the next attempt; `nil` if no attempt follows.
    mutating func delay(after loss: ConnectionLoss, now: Duration) -> Duration? {
        guard !isFinal(loss, now: now) else { return nil }
        let fraction = random.fraction()
        let decision = machine.after(ending(loss), uptime: readySince.map { now - $0 }, fraction: fraction)
        guard case .reconnect(_, let delay) = decision else { return nil }
        if readySince != nil { attempt = 0 }
        readySince = nil
        return loss.decision == .reconnectImmediately ? .zero : delay
    }

    /// Returns true if no further attempt is made, regardless of the reconnect policy.
    private mutating func isFinal(_ loss: ConnectionLoss, now: Duration) -> Bool {
        // If the handshake was never completed, the credentials were fresh.
        guard loss.mayHaveExpired, let readySince else { return loss.decision == .giveUp }
        if now - readySince >= stableAfter { hasExpired = false }
        defer { hasExpired = true }
        return hasExpired && loss.decision == .giveUp
    }

    private func ending(_ loss: ConnectionLoss) -> ReconnectBackoff.Ending {
        guard case .closed(let code) = loss.ending else {
            return loss.decision == nil ? loss.ending : .failed(isTransient: true)
        }
        if machine.policy.finalCloseCodes.contains(code) { return loss.ending }
        // A regular close by the server does not end subscriptions that still expect events.
        let isRegularClose = code == .normal || code == .noStatusReceived
        return loss.decision != nil || isRegularClose ? .failed(isTransient: true) : loss.ending
    }
}
