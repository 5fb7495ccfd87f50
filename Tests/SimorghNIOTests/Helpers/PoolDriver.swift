// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore
import SimorghNIO

/// Drives a ConnectionPoolStateMachine with numbers as connections and names as waiters, and logs its actions.
struct PoolDriver {
    typealias Machine = ConnectionPoolStateMachine<Int, String>

    var machine: Machine
    var log: [String] = []
    /// The connection keys, in the order of dialing.
    private(set) var keys: [ConnectionKey] = []
    private var alarms: [(host: Int, at: NIODeadline)] = []
    private var leases: [String: Int] = [:]
    private var tickets: [String: Machine.Ticket] = [:]
    private var now = NIODeadline.uptimeNanoseconds(1)

    init(_ machine: Machine) { self.machine = machine }

    mutating func pass(_ time: TimeAmount) { now = now + time }

    @discardableResult
    mutating func request(
        _ origin: Origin, _ waiter: String, needsFresh: Bool = false, priority: RequestPriority = .normal,
        eventLoopIndex: Int? = nil
    ) -> String {
        let answer = machine.request(
            origin, waiter: waiter, needsFresh: needsFresh, priority: priority, eventLoopIndex: eventLoopIndex, now: now
        )
        switch answer {
        case .leased(let connection):
            leases[waiter] = connection
            return "leased \(connection)"
        case .waiting(let ticket, let actions):
            tickets[waiter] = ticket
            take(actions)
            return "waiting"
        case .refused(let actions):
            take(actions)
            return "refused"
        case .closed: return "closed"
        }
    }

    mutating func dialed(_ number: Int, isShared: Bool = false, eventLoopIndex: Int? = nil) {
        take(
            machine.dialed(
                keys[number], connection: number, isShared: isShared, eventLoopIndex: eventLoopIndex, now: now))
    }

    mutating func changeCapacity(_ number: Int, to capacity: Int) {
        take(machine.capacityChanged(keys[number], to: capacity, now: now))
    }

    /// Reports that the window of a shared connection stays closed.
    ///
    /// - Returns: True if the connection is assigned no further requests.
    @discardableResult
    mutating func stall(_ number: Int) -> Bool {
        guard let actions = machine.stalled(keys[number], now: now) else { return false }
        take(actions)
        return true
    }

    mutating func prewarm(_ origin: Origin, upTo count: Int) -> Int {
        let begun = machine.prewarm(origin, upTo: count)
        keys += begun
        return begun.count
    }

    mutating func connectionFailed(_ number: Int, sparing spared: Set<String> = []) {
        take(machine.connectionFailed(keys[number], now: now) { spared.contains($0) })
    }

    /// Fires the alarms that are due.
    mutating func ring() {
        let due = alarms.filter { $0.at <= now }
        alarms.removeAll { $0.at <= now }
        for alarm in due { take(machine.recheck(alarm.host, now: now)) }
    }

    mutating func finish(_ waiter: String) {
        guard let connection = leases.removeValue(forKey: waiter) else { return }
        take(machine.returned(keys[connection], connection: connection, now: now))
    }

    mutating func closed(_ number: Int) { take(machine.closed(keys[number])) }

    mutating func idleTimePassed(_ number: Int) { take(machine.idleTimePassed(keys[number], now: now)) }

    mutating func cancel(_ waiter: String) -> Bool { tickets[waiter].map { machine.cancelled($0) } ?? false }

    mutating func queueTimePassed(_ waiter: String) -> Bool {
        tickets[waiter].map { machine.queueTimePassed($0) } ?? false
    }

    mutating func close() { take(machine.close()) }

    private mutating func take(_ actions: [Machine.Action]) {
        for action in actions {
            switch action {
            case .dial(let key, let origin, let waiter):
                log.append("dial \(keys.count) \(origin.host) for \(waiter)")
                keys.append(key)
            case .lease(let connection, let waiter, _):
                leases[waiter] = connection
                log.append("lease \(connection) to \(waiter)")
            case .fail(let waiter): log.append("fail \(waiter)")
            case .dismiss(let waiter): log.append("dismiss \(waiter)")
            case .close(let connection): log.append("close \(connection)")
            case .recheck(let host, let time): alarms.append((host, time))
            }
        }
    }
}
