// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// When a connection of subscriptions is made again.
struct HubReconnection: Sendable {
    /// The attempts in a row, the one of now included.
    private(set) var attempt = 0
    /// The attempts since the last connection that was stable, as the policy counts them.
    var failures: Int { machine.attempts }
    /// What is waited at least before it, however early a path returns.
    var shortest: Duration { machine.earliest }
    private var machine: ReconnectMachine
    private let random: RandomSource
    /// When the handshake of now was done.
    private var readySince: Duration?
    /// True if credentials have expired since the last connection that was stable.
    private var hasExpired = false

    init(_ policy: WebSocketReconnectPolicy, _ random: RandomSource) {
        machine = ReconnectMachine(policy)
        self.random = random
    }

    /// An attempt begins.
    mutating func begin() {
        attempt += 1
        readySince = nil
    }

    /// The handshake is done.
    mutating func ready(now: Duration) { readySince = now }

    /// Somebody wants the connection now.
    mutating func reset() {
        attempt = 0
        readySince = nil
        hasExpired = false
        machine.reset()
    }

    /// How long a connection or subscription lasts before its attempts are counted anew.
    var stableAfter: Duration { Duration(clampingSeconds: machine.policy.stableAfter) }

    /// Chance, from 0 up to 1.
    func fraction() -> Double { random.fraction() }

    /// How long to wait before the n-th attempt at one subscription; `nil` for ever.
    func wait(before attempt: Int, fraction: Double) -> Duration? {
        guard attempt <= machine.policy.maximumAttempts else { return nil }
        return machine.policy.delay(before: attempt) * (machine.policy.jitter == .full ? fraction : 1)
    }

    /// How long to wait before the next attempt; `nil` for ever.
    mutating func delay(after loss: HubLoss, now: Duration) -> Duration? {
        guard !isFinal(loss, now) else { return nil }
        let chance = random.fraction()
        let verdict = machine.after(ending(loss), uptime: readySince.map { now - $0 }, fraction: chance)
        guard case .reconnect(_, let delay) = verdict else { return nil }
        if readySince != nil { attempt = 0 }
        readySince = nil
        return loss.verdict == .reconnectAtOnce ? .zero : delay
    }

    /// Returns true if no other attempt is to be made, whatever the policy says.
    private mutating func isFinal(_ loss: HubLoss, _ now: Duration) -> Bool {
        // A connection whose handshake was never done had fresh credentials.
        guard loss.mayHaveExpired, let readySince else { return loss.verdict == .giveUp }
        if now - readySince >= stableAfter { hasExpired = false }
        defer { hasExpired = true }
        return hasExpired && loss.verdict == .giveUp
    }

    private func ending(_ loss: HubLoss) -> ReconnectMachine.Ending {
        guard case .closed(let code) = loss.ending else {
            return loss.verdict == nil ? loss.ending : .failed(mayPass: true)
        }
        if machine.policy.finalCloseCodes.contains(code) { return loss.ending }
        // Whoever still waits for events is not done because the server says goodbye.
        let isGoodbye = code == .normal || code == .noStatusReceived
        return loss.verdict != nil || isGoodbye ? .failed(mayPass: true) : loss.ending
    }
}
