// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HeapModule
package import SimorghSupport

/// The order in which downloads start, by priority, with a limit in total and per host, and without starvation.
///
/// A download's position is a time: its arrival, minus the aging interval for each step of its priority. So a
/// low-priority download that has waited long enough goes before a new normal one, and positions need no update as
/// time passes.
package struct DownloadScheduler: Sendable {
    /// The reason a download was rejected.
    package enum Refusal: Sendable, Equatable {
        /// Another download has the same key.
        case duplicate(UUID)
        /// The queue is full.
        case full(limit: Int)
    }

    /// A position in the queue.
    private struct Position: Sendable, Comparable {
        let moment: Double
        let sequence: Int
        let id: UUID
        /// The version of the position; only the latest of a download is valid.
        let version: Int

        static func < (left: Position, right: Position) -> Bool {
            (left.moment, left.sequence) < (right.moment, right.sequence)
        }
    }

    private enum Status: Sendable { case inactive, waiting, running }

    private struct Entry: Sendable {
        var key: String
        var host: String
        /// The host of the next attempt, if it changed during the run.
        var nextHost: String?
        var priority: DownloadPriority
        var arrival: Double
        var sequence: Int
        var status = Status.inactive
        var version = 0
    }

    private struct Host: Sendable {
        var running = 0
        /// Downloads whose turn came while the host was at its limit.
        var parked = Heap<Position>()
    }

    /// The largest number of running downloads.
    package private(set) var limit: Int
    /// The largest number of running downloads per host.
    package private(set) var hostLimit: Int
    /// The largest number of waiting downloads.
    package var queueLimit: Int
    private var aging: Double
    private var entries: [UUID: Entry] = [:]
    private var keys: [String: UUID] = [:]
    private var hosts: [String: Host] = [:]
    private var queue = Heap<Position>()
    private var nextSequence = 0
    private var firstMoment = 0.0
    /// The number of outdated positions in the queue.
    private var stale = 0
    /// The number of running downloads.
    package private(set) var running = 0
    /// The number of waiting downloads.
    package private(set) var waiting = 0

    package init(limit: Int, hostLimit: Int? = nil, queueLimit: Int = .max, aging: Double = 600) {
        self.limit = max(1, limit)
        self.hostLimit = max(1, hostLimit ?? .max)
        self.queueLimit = queueLimit
        self.aging = Self.bounded(aging)
    }

    private static func bounded(_ aging: Double) -> Double { aging.isFinite ? max(1, aging) : 600 }

    /// Changes the time to reach the next priority, for downloads that enter the queue from now on.
    package mutating func age(by interval: Double) { aging = Self.bounded(interval) }

    /// Returns true if a download is running.
    package func isRunning(_ id: UUID) -> Bool { entries[id]?.status == .running }
    /// Returns true if a download waits in the queue.
    package func isWaiting(_ id: UUID) -> Bool { entries[id]?.status == .waiting }

    // MARK: Adding and removing

    /// Returns the reason a download would be rejected; `nil` if it would be accepted.
    ///
    /// - Parameters:
    ///   - key: The key that no two downloads share.
    ///   - host: The host it is fetched from.
    /// - Returns: The reason.
    package func refusal(key: String, host: String) -> Refusal? {
        if let other = keys[key] { return .duplicate(other) }
        let hasFreeSlot = running < limit && (hosts[host]?.running ?? 0) < hostLimit
        return waiting >= queueLimit && (!hasFreeSlot || waiting > 0) ? .full(limit: queueLimit) : nil
    }

    /// Adds a download and puts it into the queue.
    ///
    /// - Parameters:
    ///   - id: The download.
    ///   - key: The key that no two downloads share.
    ///   - host: The host it is fetched from.
    ///   - priority: Its priority.
    ///   - now: The time, in seconds on a clock that a restart does not reset.
    ///   - isBounded: True if the limit of waiting downloads applies; it does not apply to restored downloads.
    /// - Returns: The reason for a rejection; `nil` if the download was added.
    package mutating func add(
        _ id: UUID, key: String, host: String, priority: DownloadPriority, at now: Double, isBounded: Bool = true
    ) -> Refusal? {
        if isBounded, let refusal = refusal(key: key, host: host) { return refusal }
        // Of two restored downloads with the same key, one has ended; it takes the key when it resumes.
        if keys[key] == nil { keys[key] = id }
        entries[id] = Entry(key: key, host: host, priority: priority, arrival: now, sequence: nextSequence)
        nextSequence += 1
        enter(id)
        return nil
    }

    /// Puts an inactive download back into the queue, at the position of its arrival.
    package mutating func enter(_ id: UUID) {
        guard entries[id]?.status == .inactive else { return }
        entries[id]?.status = .waiting
        waiting += 1
        push(id)
    }

    /// Removes a download from the queue or from the running ones; it stays known and keeps its key.
    package mutating func leave(_ id: UUID) {
        guard let entry = entries[id] else { return }
        switch entry.status {
        case .inactive: return
        case .waiting:
            waiting -= 1
            invalidate(id)
            // It may have been the next one of its host.
            promote(entry.host)
        case .running:
            running -= 1
            hosts[entry.host]?.running -= 1
            promote(entry.host)
        }
        entries[id]?.status = .inactive
        if let next = entry.nextHost {
            entries[id]?.host = next
            entries[id]?.nextHost = nil
        }
    }

    /// Forgets a download; its key becomes free.
    package mutating func remove(_ id: UUID) {
        leave(id)
        guard let entry = entries.removeValue(forKey: id) else { return }
        if keys[entry.key] == id { keys[entry.key] = nil }
    }

    /// Frees the key of an ended download, which stays known.
    package mutating func release(_ id: UUID) {
        leave(id)
        guard let entry = entries[id], keys[entry.key] == id else { return }
        keys[entry.key] = nil
    }

    /// Takes the key of a download that resumes after ``release(_:)``.
    ///
    /// - Returns: The download that has the key now; `nil` if none has.
    package mutating func reclaim(_ id: UUID) -> UUID? {
        guard let entry = entries[id] else { return nil }
        if let other = keys[entry.key], other != id { return other }
        keys[entry.key] = id
        return nil
    }

    // MARK: Starting

    /// Starts the downloads whose turn has come.
    ///
    /// - Returns: The downloads that run from now on, in order.
    package mutating func start() -> [UUID] {
        var started: [UUID] = []
        while running < limit, let position = queue.popMin() {
            guard let entry = entries[position.id], entry.status == .waiting, entry.version == position.version else {
                stale = max(0, stale - 1)
                continue
            }
            guard hosts[entry.host, default: Host()].running < hostLimit else {
                hosts[entry.host, default: Host()].parked.insert(position)
                continue
            }
            entries[position.id]?.status = .running
            hosts[entry.host, default: Host()].running += 1
            waiting -= 1
            running += 1
            started.append(position.id)
        }
        return started
    }

    // MARK: Changes

    /// Changes the key and the host of a download that gets another URL.
    ///
    /// - Returns: The download that has the key already; `nil` if none has.
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

    /// Counts a download for another host, such as that of a mirror.
    ///
    /// A running download counts for its old host until its run ends.
    package mutating func move(_ id: UUID, toHost host: String) {
        guard let entry = entries[id] else { return }
        switch entry.status {
        case .running: entries[id]?.nextHost = host == entry.host ? nil : host
        case .inactive: entries[id]?.host = host
        case .waiting:
            guard host != entry.host else { return }
            leave(id)
            entries[id]?.host = host
            enter(id)
        }
    }

    /// Returns the arrival of a download, its position among downloads of the same priority.
    package func arrival(of id: UUID) -> Double? { entries[id]?.arrival }

    /// Changes the priority of a download; its arrival stays the same.
    package mutating func prioritize(_ id: UUID, as priority: DownloadPriority) {
        guard entries[id] != nil else { return }
        invalidate(id)
        entries[id]?.priority = priority
        if entries[id]?.status == .waiting { push(id) }
    }

    /// Moves a download before or behind all others.
    package mutating func move(_ id: UUID, toFront: Bool, at now: Double) {
        guard let entry = entries[id] else { return }
        invalidate(id)
        let step = Double(entry.priority.rawValue) * aging
        if toFront {
            firstMoment = min(firstMoment, queue.min?.moment ?? 0) - 1
            entries[id]?.arrival = firstMoment + step
        } else {
            entries[id]?.arrival = now + step + 4 * aging
        }
        entries[id]?.sequence = nextSequence
        nextSequence += 1
        if entries[id]?.status == .waiting { push(id) }
    }

    /// Changes the limits; running downloads continue.
    package mutating func limit(to limit: Int, perHost hostLimit: Int?) {
        self.limit = max(1, limit)
        self.hostLimit = max(1, hostLimit ?? .max)
        for host in hosts.keys {
            while let position = hosts[host]?.parked.popMin() { queue.insert(position) }
        }
    }

    // MARK: The queue

    private mutating func push(_ id: UUID) {
        guard let entry = entries[id] else { return }
        let moment = entry.arrival - Double(entry.priority.rawValue) * aging
        queue.insert(Position(moment: moment, sequence: entry.sequence, id: id, version: entry.version))
    }

    private mutating func invalidate(_ id: UUID) {
        entries[id]?.version += 1
        stale += 1
        guard stale > 1024, stale > entries.count / 2 else { return }
        let entries = entries
        queue.removeAll { entries[$0.id]?.version != $0.version }
        for host in hosts.keys { hosts[host]?.parked.removeAll { entries[$0.id]?.version != $0.version } }
        stale = 0
    }

    /// Returns the first parked download of a host to the queue if the host is below its limit.
    private mutating func promote(_ host: String) {
        guard hosts[host, default: Host()].running < hostLimit else { return }
        while let position = hosts[host]?.parked.popMin() {
            guard let entry = entries[position.id], entry.version == position.version, entry.status == .waiting else {
                continue
            }
            queue.insert(position)
            break
        }
        if let state = hosts[host], state.running == 0, state.parked.isEmpty { hosts[host] = nil }
    }
}
