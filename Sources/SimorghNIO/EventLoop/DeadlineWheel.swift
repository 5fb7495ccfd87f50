// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

/// Who waits until when: a value that tells who has waited long enough, and when somebody will have.
///
/// Nearly all who wait leave before their time, so coming and going must cost the same however many wait; an event
/// loop's own timers cost a search through all of them at each that is cancelled. Those whose time is far off share a
/// slot that covers a sixteenth of the time until then; when a slot's time begins, they are put into finer ones, so that
/// nobody is told early, and nobody late. At most a few dozen slots exist for each power of two of time.
package struct DeadlineWheel<Element> {
    /// By what somebody who waits leaves; of no use, and no harm, when he has left or was told.
    package struct Place: Sendable, Hashable {
        fileprivate let index: Int
        fileprivate let generation: UInt32
    }

    fileprivate struct Entry {
        var element: Element?
        var deadline: NIODeadline
        /// The beginning of the slot it is in.
        var time: UInt64
        var generation: UInt32
    }

    fileprivate struct Slot: Sendable {
        let time: UInt64
        var list = LinkedLists.Ends()
    }

    /// The finest slot, in nanoseconds.
    private static var finest: UInt64 { 1_000_000 }

    private var entries: [Entry] = []
    private var free: [Int] = []
    /// The latest first.
    private var slots: [Slot] = []
    private var lists = LinkedLists()
    /// How many wait.
    package private(set) var count = 0

    package init() {}

    package var slotCount: Int { slots.count }

    /// When ``due(now:)`` has something to do; `nil` while nobody waits.
    package var next: NIODeadline? { count == 0 ? nil : slots.last.map { .uptimeNanoseconds($0.time) } }

    /// Somebody waits.
    package mutating func add(_ element: Element, until deadline: NIODeadline, now: NIODeadline) -> Place {
        let index: Int
        if let free = free.popLast() {
            index = free
            entries[index].element = element
            entries[index].deadline = deadline
        } else {
            index = entries.count
            entries.append(Entry(element: element, deadline: deadline, time: 0, generation: 0))
        }
        count += 1
        sort(index, now: now)
        return Place(index: index, generation: entries[index].generation)
    }

    /// Somebody waits no longer.
    package mutating func remove(_ place: Place) {
        guard place.index < entries.count, entries[place.index].generation == place.generation else { return }
        lists.remove(place.index, from: &slots[slot(entries[place.index].time)].list)
        release(place.index)
        // An empty slot stays until its time, since the next one to come will most likely want it.
        if count == 0 { slots.removeAll(keepingCapacity: true) }
    }

    /// Takes out those whose time has come.
    package mutating func due(now: NIODeadline) -> [Element] {
        var due: [Element] = []
        while let slot = slots.last, slot.time <= now.uptimeNanoseconds {
            slots.removeLast()
            var next = slot.list.first
            while let index = next {
                next = lists.newer(than: index)
                if entries[index].deadline <= now {
                    if let element = entries[index].element { due.append(element) }
                    release(index)
                } else {
                    sort(index, now: now)
                }
            }
        }
        return due
    }

    /// Puts somebody who is in no slot into the one for his time.
    private mutating func sort(_ index: Int, now: NIODeadline) {
        let time = Self.slot(of: entries[index].deadline.uptimeNanoseconds, now: now.uptimeNanoseconds)
        entries[index].time = time
        let slot = slot(time)
        if slot == slots.endIndex || slots[slot].time != time { slots.insert(Slot(time: time), at: slot) }
        lists.append(index, to: &slots[slot].list)
    }

    /// Where the slot with a beginning is, or would be.
    private func slot(_ time: UInt64) -> Int {
        var low = 0
        var high = slots.count
        while low < high {
            let middle = (low + high) / 2
            if slots[middle].time > time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func release(_ index: Int) {
        entries[index].element = nil
        entries[index].generation &+= 1
        free.append(index)
        count -= 1
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

extension DeadlineWheel.Entry: Sendable where Element: Sendable {}
extension DeadlineWheel: Sendable where Element: Sendable {}
