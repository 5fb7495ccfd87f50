// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HeapModule
package import SimorghSupport

/// Whose turn it is: so many in all, so many from each host, the urgent first, and nobody waits for ever.
///
/// A download's place is a moment: that of its arrival, and earlier by the aging interval for each step of its priority. So a
/// low one that has waited long enough goes before a normal one that has just come, and no clock has to be asked again.
package struct DownloadScheduler: Sendable {
    /// Why a download was not taken in.
    package enum Refusal: Sendable, Equatable {
        /// Another of the same key is here.
        case duplicate(UUID)
        /// So many wait already.
        case full(limit: Int)
    }

    /// Where one stands in the line.
    private struct Place: Sendable, Comparable {
        let moment: Double
        let sequence: Int
        let id: UUID
        /// Which of the places that it has had: only the last counts.
        let version: Int

        static func < (left: Place, right: Place) -> Bool {
            (left.moment, left.sequence) < (right.moment, right.sequence)
        }
    }

    private enum Standing: Sendable { case aside, waiting, running }

    private struct Entry: Sendable {
        var key: String
        var host: String
        /// Where it is fetched from the next time, where that changed while it runs.
        var nextHost: String?
        var priority: DownloadPriority
        var arrival: Double
        var sequence: Int
        var standing = Standing.aside
        var version = 0
    }

    private struct Host: Sendable {
        var running = 0
        /// Those whose turn came while it had no room.
        var parked = Heap<Place>()
    }

    /// How many run at a time.
    package private(set) var limit: Int
    /// How many from one host.
    package private(set) var hostLimit: Int
    /// How many may wait.
    package var queueLimit: Int
    private var aging: Double
    private var entries: [UUID: Entry] = [:]
    private var keys: [String: UUID] = [:]
    private var hosts: [String: Host] = [:]
    private var line = Heap<Place>()
    private var nextSequence = 0
    private var firstMoment = 0.0
    /// How many places in the line count no more.
    private var stale = 0
    /// How many run.
    package private(set) var running = 0
    /// How many wait.
    package private(set) var waiting = 0

    package init(limit: Int, hostLimit: Int? = nil, queueLimit: Int = .max, aging: Double = 600) {
        self.limit = max(1, limit)
        self.hostLimit = max(1, hostLimit ?? .max)
        self.queueLimit = queueLimit
        self.aging = Self.bounded(aging)
    }

    private static func bounded(_ aging: Double) -> Double { aging.isFinite ? max(1, aging) : 600 }

    /// Changes how long it takes to reach the next priority, for those who come to the line from now on.
    package mutating func age(by interval: Double) { aging = Self.bounded(interval) }

    /// Whether a download is running by its word.
    package func isRunning(_ id: UUID) -> Bool { entries[id]?.standing == .running }
    /// Whether a download waits in the line.
    package func isWaiting(_ id: UUID) -> Bool { entries[id]?.standing == .waiting }

    // MARK: Coming and going

    /// Why a download would not be taken in; `nil` where it would.
    ///
    /// - Parameters:
    ///   - key: What no two of them share.
    ///   - host: Where it comes from.
    /// - Returns: The reason.
    package func refusal(key: String, host: String) -> Refusal? {
        if let other = keys[key] { return .duplicate(other) }
        let hasRoom = running < limit && (hosts[host]?.running ?? 0) < hostLimit
        return waiting >= queueLimit && (!hasRoom || waiting > 0) ? .full(limit: queueLimit) : nil
    }

    /// Takes a download in, and puts it in the line.
    ///
    /// - Parameters:
    ///   - id: The download.
    ///   - key: What no two of them share.
    ///   - host: Where it comes from.
    ///   - priority: How urgent it is.
    ///   - now: The moment, in seconds on a clock that a restart does not set back.
    ///   - isBounded: Whether the limit of those who wait holds for it, as it does not for those who were here before.
    /// - Returns: Why not; `nil` where it was taken in.
    package mutating func add(
        _ id: UUID, key: String, host: String, priority: DownloadPriority, at now: Double, isBounded: Bool = true
    ) -> Refusal? {
        if isBounded, let refusal = refusal(key: key, host: host) { return refusal }
        // Of two that were here before, one is over: it takes the key when it is to go on.
        if keys[key] == nil { keys[key] = id }
        entries[id] = Entry(key: key, host: host, priority: priority, arrival: now, sequence: nextSequence)
        nextSequence += 1
        enter(id)
        return nil
    }

    /// Puts one that stood aside back in the line, at the place of its arrival.
    package mutating func enter(_ id: UUID) {
        guard entries[id]?.standing == .aside else { return }
        entries[id]?.standing = .waiting
        waiting += 1
        push(id)
    }

    /// Takes one out of the line, or out of those who run; it stays known, and its key stays taken.
    package mutating func leave(_ id: UUID) {
        guard let entry = entries[id] else { return }
        switch entry.standing {
        case .aside: return
        case .waiting:
            waiting -= 1
            invalidate(id)
            // It may have been the one of its host that was to go next.
            promote(entry.host)
        case .running:
            running -= 1
            hosts[entry.host]?.running -= 1
            promote(entry.host)
        }
        entries[id]?.standing = .aside
        if let next = entry.nextHost {
            entries[id]?.host = next
            entries[id]?.nextHost = nil
        }
    }

    /// Forgets one: its key may be used again.
    package mutating func remove(_ id: UUID) {
        leave(id)
        guard let entry = entries.removeValue(forKey: id) else { return }
        if keys[entry.key] == id { keys[entry.key] = nil }
    }

    /// Gives the key of one that is over to whoever comes next, but keeps it known.
    package mutating func release(_ id: UUID) {
        leave(id)
        guard let entry = entries[id], keys[entry.key] == id else { return }
        keys[entry.key] = nil
    }

    /// Takes the key of one that is to go on after ``release(_:)``.
    ///
    /// - Returns: Who has it meanwhile; `nil` where nobody does.
    package mutating func reclaim(_ id: UUID) -> UUID? {
        guard let entry = entries[id] else { return nil }
        if let other = keys[entry.key], other != id { return other }
        keys[entry.key] = id
        return nil
    }

    // MARK: Turns

    /// Says whose turn it is.
    ///
    /// - Returns: Those who run from now on, in their order.
    package mutating func start() -> [UUID] {
        var started: [UUID] = []
        while running < limit, let place = line.popMin() {
            guard let entry = entries[place.id], entry.standing == .waiting, entry.version == place.version else {
                stale = max(0, stale - 1)
                continue
            }
            guard hosts[entry.host, default: Host()].running < hostLimit else {
                hosts[entry.host, default: Host()].parked.insert(place)
                continue
            }
            entries[place.id]?.standing = .running
            hosts[entry.host, default: Host()].running += 1
            waiting -= 1
            running += 1
            started.append(place.id)
        }
        return started
    }

    // MARK: Changes

    /// Gives one another key and host, as it is fetched from elsewhere.
    ///
    /// - Returns: Who has the key already; `nil` where nobody does.
    package mutating func move(_ id: UUID, key: String, host: String) -> UUID? {
        guard let entry = entries[id] else { return nil }
        if let other = keys[key], other != id { return other }
        if keys[entry.key] == id {
            keys[entry.key] = nil
            keys[key] = id
        }
        entries[id]?.key = key
        move(id, toHost: host)
        return nil
    }

    /// Has one count for another host, as for that of a mirror.
    ///
    /// One that runs counts for where it began until its turn is over.
    package mutating func move(_ id: UUID, toHost host: String) {
        guard let entry = entries[id] else { return }
        switch entry.standing {
        case .running: entries[id]?.nextHost = host == entry.host ? nil : host
        case .aside: entries[id]?.host = host
        case .waiting:
            guard host != entry.host else { return }
            leave(id)
            entries[id]?.host = host
            enter(id)
        }
    }

    /// The place of one among those of its priority.
    package func arrival(of id: UUID) -> Double? { entries[id]?.arrival }

    /// Changes how urgent one is; it keeps the moment of its arrival.
    package mutating func prioritise(_ id: UUID, _ priority: DownloadPriority) {
        guard entries[id] != nil else { return }
        invalidate(id)
        entries[id]?.priority = priority
        if entries[id]?.standing == .waiting { push(id) }
    }

    /// Moves one before all others, or behind them.
    package mutating func move(_ id: UUID, toFront: Bool, at now: Double) {
        guard let entry = entries[id] else { return }
        invalidate(id)
        let step = Double(entry.priority.rawValue) * aging
        if toFront {
            firstMoment = min(firstMoment, line.min?.moment ?? 0) - 1
            entries[id]?.arrival = firstMoment + step
        } else {
            entries[id]?.arrival = now + step + 4 * aging
        }
        entries[id]?.sequence = nextSequence
        nextSequence += 1
        if entries[id]?.standing == .waiting { push(id) }
    }

    /// Changes how many run; those that run already go on.
    package mutating func limit(to limit: Int, perHost hostLimit: Int?) {
        self.limit = max(1, limit)
        self.hostLimit = max(1, hostLimit ?? .max)
        for host in hosts.keys {
            while let place = hosts[host]?.parked.popMin() { line.insert(place) }
        }
    }

    // MARK: The line

    private mutating func push(_ id: UUID) {
        guard let entry = entries[id] else { return }
        let moment = entry.arrival - Double(entry.priority.rawValue) * aging
        line.insert(Place(moment: moment, sequence: entry.sequence, id: id, version: entry.version))
    }

    private mutating func invalidate(_ id: UUID) {
        entries[id]?.version += 1
        stale += 1
        guard stale > 1024, stale > entries.count / 2 else { return }
        let entries = entries
        line.removeAll { entries[$0.id]?.version != $0.version }
        for host in hosts.keys { hosts[host]?.parked.removeAll { entries[$0.id]?.version != $0.version } }
        stale = 0
    }

    /// Where a host has room, the first of those who wait for it stands in the line.
    private mutating func promote(_ host: String) {
        guard hosts[host, default: Host()].running < hostLimit else { return }
        while let place = hosts[host]?.parked.popMin() {
            guard let entry = entries[place.id], entry.version == place.version, entry.standing == .waiting else {
                continue
            }
            line.insert(place)
            break
        }
        if let state = hosts[host], state.running == 0, state.parked.isEmpty { hosts[host] = nil }
    }
}
