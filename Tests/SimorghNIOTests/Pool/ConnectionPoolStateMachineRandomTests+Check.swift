// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNIO
import Testing

extension ConnectionPoolStateMachineRandomTests.World {
    /// The window of a connection stays closed: what it carries goes on, and it gets nothing new, if there may be another.
    mutating func stall() {
        guard let connection = shared.keys.sorted().randomElement(using: &random),
            let (used, capacity) = shared[connection], used > 0, capacity > 0, let key = keys[connection]
        else { return }
        let host = hosts[connection]
        let others = shared.contains { $0.key != connection && hosts[$0.key] == host && $0.value.capacity > 0 }
        let own = dialing.count { $0.host == host } + keys.keys.count { hosts[$0] == host }
        let total = dialing.count + keys.count
        let mayBe =
            others
            || own < limits.connectionsPerHost && (total < limits.connections || !idle.isEmpty)
        let now = self.now
        guard let actions = machine.stalled(key, now: now) else {
            if mayBe { fault = "connection \(connection) stays in use, though there may be another" }
            return
        }
        if !mayBe { fault = "connection \(connection) is given up, though there may be no other" }
        shared[connection] = (used, 0)
        stalled.insert(connection)
        take(actions)
    }

    /// The window of such a connection opens again.
    mutating func reopen() {
        guard let connection = stalled.sorted().randomElement(using: &random) else { return }
        stalled.remove(connection)
        guard let (used, _) = shared[connection], let key = keys[connection] else { return }
        let capacity = Int.random(in: 1...6, using: &random)
        shared[connection] = (used, capacity)
        reopened.insert(connection)
        take(machine.capacityChanged(key, capacity, now: now))
    }
}

extension ConnectionPoolStateMachineRandomTests.World {
    /// Compares the machine with the plain account.
    mutating func check() {
        if machine.connections != dialing.count + keys.count {
            fault = "\(machine.connections) counted, \(dialing.count) + \(keys.count) there"
        }
        if machine.idle != idle.count { fault = "idle miscounted" }
        if machine.dialing != dialing.count { fault = "dialling miscounted" }
        let order = idle.sorted { $0.value < $1.value }.map(\.key)
        if machine.idleConnections != order { fault = "idle in the order \(machine.idleConnections), not \(order)" }
        for host in 0..<8 {
            let own = order.filter { hosts[$0] == host }
            if machine.idleConnections(to: Self.origin(host)) != own { fault = "host \(host) has other idle ones" }
            for eventLoopIndex in 0..<3 {
                let there = machine.idleConnections(to: Self.origin(host), eventLoopIndex: eventLoopIndex)
                if there != own.filter({ lanes[$0] == eventLoopIndex }), !there.isEmpty {
                    fault = "other ones in lane \(eventLoopIndex)"
                }
            }
        }
        for waiter in waiting.keys where served - (arrivals[waiter] ?? 0) > Self.patience {
            fault = "\(waiter) waits while \(served - (arrivals[waiter] ?? 0)) were served"
        }
        if machine.evictions != closedWhileUseful { fault = "evictions miscounted" }
        if machine.waiting != waiting.count { fault = "\(machine.waiting) waiters counted, \(waiting.count) there" }
        if machine.connections > limits.connections { fault = "more connections than allowed" }
        var perHost: [Int: Int] = [:]
        for (_, host) in dialing { perHost[host, default: 0] += 1 }
        for connection in keys.keys { perHost[hosts[connection] ?? 0, default: 0] += 1 }
        for host in 0..<8 where Self.isShared(host) {
            let open = shared.count {
                hosts[$0.key] == host && $0.value.capacity > 0 && !reopened.contains($0.key)
            }
            let coming = dialing.count { $0.host == host }
            if open + coming > limits.sharedPerHost { fault = "too many shared connections for one host" }
        }
        if perHost.values.contains(where: { $0 > limits.connectionsPerHost }) { fault = "too many for one host" }
        if !waiting.isEmpty, machine.connections == 0 { fault = "waiters, and not one connection" }
        if !waiting.isEmpty, dialing.isEmpty, leased.isEmpty { fault = "waiters, and nothing under way" }
    }
}
