// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

/// Who waits until when: a value that tells who has waited long enough, and when somebody will have.
///
/// Nearly all who wait leave before their time, so coming and going must cost the same however many wait; an event
/// loop's own timers cost a search through all of them at each that is cancelled. Those whose time is far off share a
/// slot that covers a sixteenth of the time until then; when a slot's time begins, they are put into finer ones, so that
/// nobody is told early, and nobody late. At most a few dozen slots exist for each power of two of time.
package struct DeadlineWheel<ID: Hashable & Sendable, Element: Sendable>: Sendable {
    private struct Entry: Sendable {
        let element: Element
        let deadline: NIODeadline
    }

    /// The finest slot, in nanoseconds.
    private static var finest: UInt64 { 1_000_000 }

    private var slots: [UInt64: [ID: Entry]] = [:]
    private var places: [ID: UInt64] = [:]
    /// When each slot begins; the latest first.
    private var times: [UInt64] = []

    package init() {}

    package var count: Int { places.count }
    package var slotCount: Int { times.count }

    /// When ``due(now:)`` has something to do; `nil` while nobody waits.
    package var next: NIODeadline? {
        places.isEmpty ? nil : times.last.map { .uptimeNanoseconds($0) }
    }

    /// Somebody waits; nobody waits twice.
    package mutating func add(_ id: ID, _ element: Element, until deadline: NIODeadline, now: NIODeadline) {
        remove(id)
        let time = Self.slot(of: deadline.uptimeNanoseconds, now: now.uptimeNanoseconds)
        places[id] = time
        let entry = Entry(element: element, deadline: deadline)
        guard slots[time] == nil else {
            slots[time]?[id] = entry
            return
        }
        slots[time] = [id: entry]
        times.insert(time, at: times.firstIndex { $0 < time } ?? times.endIndex)
    }

    /// Somebody waits no longer.
    package mutating func remove(_ id: ID) {
        guard let time = places.removeValue(forKey: id) else { return }
        slots[time]?[id] = nil
        // An empty slot stays until its time, since the next one to come will most likely want it.
        if places.isEmpty {
            slots.removeAll(keepingCapacity: true)
            times.removeAll(keepingCapacity: true)
        }
    }

    /// Takes out those whose time has come.
    package mutating func due(now: NIODeadline) -> [Element] {
        var due: [Element] = []
        while let time = times.last, time <= now.uptimeNanoseconds {
            times.removeLast()
            for (id, entry) in slots.removeValue(forKey: time) ?? [:] {
                places[id] = nil
                if entry.deadline <= now {
                    due.append(entry.element)
                } else {
                    add(id, entry.element, until: entry.deadline, now: now)
                }
            }
        }
        return due
    }

    /// The beginning of the slot of a deadline: after now, and never after the deadline by more than the finest slot.
    private static func slot(of deadline: UInt64, now: UInt64) -> UInt64 {
        guard deadline > now, deadline - now > 32 * finest else {
            return min(deadline, .max - finest) / finest * finest + finest
        }
        // The largest power of two that is at most a sixteenth of the distance.
        let size = UInt64(1) << UInt64(63 - ((deadline - now) / 16).leadingZeroBitCount)
        return deadline / size * size
    }
}
