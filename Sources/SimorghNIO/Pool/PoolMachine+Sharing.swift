// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore

/// Connections that carry many exchanges at once.
extension PoolMachine {
    /// A place on a shared connection that is in use.
    mutating func takePart(of slot: Int) -> Connection? {
        guard let key = hosts[slot]?.lastPart() else { return nil }
        entries[key.index].used += 1
        if entries[key.index].used >= entries[key.index].capacity { hosts[slot]?.partly.removeLast() }
        reuses += 1
        return entries[key.index].connection
    }

    /// A shared connection is open: all who wait ride on it, as many as it carries.
    mutating func share(
        _ key: ConnectionKey, _ slot: Int, first: Waiter?, now: NIODeadline, _ actions: inout [Action]
    ) {
        hosts[slot]?.kind = .shared
        hosts[slot]?.shared += 1
        hosts[slot]?.isGrowthHeld = false
        entries[key.index].isShared = true
        entries[key.index].capacity = limits.streams
        var next = first ?? firstWaiter(of: slot)
        while let waiter = next, let connection = entries[key.index].connection {
            actions.append(.lease(connection, to: waiter, isFresh: true))
            entries[key.index].used += 1
            next = entries[key.index].used < entries[key.index].capacity ? firstWaiter(of: slot) : nil
        }
        settle(key, slot, now: now, isProven: false, &actions)
        if host(of: key) != nil { grow(slot, &actions) }
    }

    /// Hands out the places of a shared connection that are free, and puts it where it belongs.
    ///
    /// One that is proven has just done its work, so that even who met a dead one may trust it.
    mutating func settle(
        _ key: ConnectionKey, _ slot: Int, now: NIODeadline, isProven: Bool, _ actions: inout [Action]
    ) {
        guard let connection = entries[key.index].connection else { return }
        hosts[slot]?.partly.removeAll { $0 == key }
        let capacity = entries[key.index].capacity
        if entries[key.index].used == 0, capacity > 0, isBetterClosed(slot) {
            actions.append(.close(connection))
            remove(key, slot, &actions)
            return
        }
        while entries[key.index].used < capacity,
            let waiter = isProven ? firstWaiter(of: slot) : patientWaiter(of: slot)
        {
            actions.append(.lease(connection, to: waiter, isFresh: false))
            entries[key.index].used += 1
        }
        if entries[key.index].used == 0, capacity > 0 {
            entries[key.index].state = .idle(since: now)
            hosts[slot]?.idle.append(key)
            idle += 1
        } else if entries[key.index].used < capacity {
            hosts[slot]?.partly.append(key)
        }
        forgetIfEmpty(slot)
    }

    /// Takes out the next one who takes any connection.
    private mutating func patientWaiter(of slot: Int) -> Waiter? {
        guard let (_, first) = hosts[slot]?.waiting.popFirst() else { return nil }
        waiting -= 1
        return first.waiter
    }

    /// A shared connection is there no more, or carries nothing new.
    mutating func unshare(_ slot: Int) {
        hosts[slot]?.shared -= 1
        if hosts[slot]?.shared == 0 { hosts[slot]?.isGrowthHeld = false }
    }

    /// A connection could not be opened: who it was for fails, and with it those who waited to ride on it.
    mutating func failed(_ ticket: Ticket, _ slot: Int, _ actions: inout [Action]) {
        guard let host = hosts[slot] else { return }
        if host.kind == .single {
            if let waiter = withdraw(ticket) { actions.append(.fail(waiter)) }
        } else if host.shared > 0, !ticket.needsFresh {
            // The others go on, and it waits for a place on one of them.
            hosts[slot]?.waiting.update(ticket.number) { $0.isBound = false }
            hosts[slot]?.isGrowthHeld = true
        } else {
            if let waiter = withdraw(ticket) { actions.append(.fail(waiter)) }
            guard host.shared == 0, host.dialling == 0 else { return }
            while let waiter = firstWaiter(of: slot) { actions.append(.fail(waiter)) }
        }
    }
}
