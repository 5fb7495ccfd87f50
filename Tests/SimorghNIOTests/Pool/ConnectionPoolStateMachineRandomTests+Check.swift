// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNIO
import Testing

extension ConnectionPoolStateMachineRandomTests.World {
    /// Stalls a connection: its requests continue, and it is assigned no new ones if another connection is possible.
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
            if mayBe { fault = "connection \(connection) stays in use although another one is possible" }
            return
        }
        if !mayBe { fault = "connection \(connection) is abandoned although no other one is possible" }
        shared[connection] = (used, 0)
        stalled.insert(connection)
        take(actions)
    }

    /// Reopens the window of a stalled connection.
    mutating func reopen() {
        guard let connection = stalled.sorted().randomElement(using: &random) else { return }
        stalled.remove(connection)
        guard let (used, _) = shared[connection], let key = keys[connection] else { return }
        let capacity = Int.random(in: 1...6, using: &random)
        shared[connection] = (used, capacity)
        reopened.insert(connection)
        take(machine.capacityChanged(key, to: capacity, now: now))
    }
}

extension ConnectionPoolStateMachineRandomTests.World {
    /// Compares the machine with the model.
    mutating func check() {
        if machine.connections != dialing.count + keys.count {
            fault = "\(machine.connections) connections, expected \(dialing.count) + \(keys.count)"
        }
        if machine.idle != idle.count { fault = "the number of idle connections is wrong" }
        if machine.dialing != dialing.count { fault = "the number of dials is wrong" }
        let order = idle.sorted { $0.value < $1.value }.map(\.key)
        if machine.idleConnections != order { fault = "idle order \(machine.idleConnections), expected \(order)" }
        for host in 0..<8 {
            let own = order.filter { hosts[$0] == host }
            if machine.idleConnections(to: Self.origin(host)) != own { fault = "host \(host) has other idle ones" }
            for eventLoopIndex in 0..<3 {
                let there = machine.idleConnections(to: Self.origin(host), eventLoopIndex: eventLoopIndex)
                if there != own.filter({ lanes[$0] == eventLoopIndex }), !there.isEmpty {
                    fault = "other idle connections on loop \(eventLoopIndex)"
                }
            }
        }
        for waiter in waiting.keys where served - (arrivals[waiter] ?? 0) > Self.patience {
            fault = "\(waiter) waits while \(served - (arrivals[waiter] ?? 0)) were served"
        }
        if machine.evictions != closedWhileUseful { fault = "the number of evictions is wrong" }
        if machine.waiting != waiting.count { fault = "\(machine.waiting) waiters, expected \(waiting.count)" }
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
        if perHost.values.contains(where: { $0 > limits.connectionsPerHost }) { fault = "a host has too many" }
        if !waiting.isEmpty, machine.connections == 0 { fault = "waiters without a connection" }
        if !waiting.isEmpty, dialing.isEmpty, leased.isEmpty { fault = "waiters without a dial or lease" }
    }
}
