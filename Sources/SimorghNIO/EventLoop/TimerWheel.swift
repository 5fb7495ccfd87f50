// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

/// A timer wheel: returns the elements whose deadline has passed, and the time of the next check.
///
/// Nearly all elements are removed before their deadline, so adding and removing are O(1) in the number of elements;
/// an event loop's own timers search through all of them at each cancellation. Elements with a distant deadline share
/// a slot that covers a sixteenth of the remaining time. When a slot's time begins, its elements move to finer slots,
/// so that no element is returned early or late. There are at most a few dozen slots for each power of two of the
/// time.
package struct TimerWheel<Element> {
    /// The handle that removes an element; harmless after the element was removed or returned.
    package struct Handle: Sendable, Hashable {
        fileprivate let index: Int
        fileprivate let generation: UInt32
    }

    fileprivate struct Entry {
        var element: Element?
        var deadline: NIODeadline
        /// The start of the element's slot.
        var time: UInt64
        var generation: UInt32
    }

    fileprivate struct Slot: Sendable {
        let time: UInt64
        var list = IntrusiveLists.Ends()
    }

    /// The size of the finest slot, in nanoseconds.
    private static var finest: UInt64 { 1_000_000 }

    private var entries: [Entry] = []
    private var free: [Int] = []
    /// The slots, the latest first.
    private var slots: [Slot] = []
    private var lists = IntrusiveLists()
    /// The number of elements.
    package private(set) var count = 0

    package init() {}

    package var slotCount: Int { slots.count }

    /// The time of the next call of ``due(now:)``; `nil` if the wheel is empty.
    package var next: NIODeadline? { count == 0 ? nil : slots.last.map { .uptimeNanoseconds($0.time) } }

    /// Adds an element.
    package mutating func add(_ element: Element, until deadline: NIODeadline, now: NIODeadline) -> Handle {
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
        return Handle(index: index, generation: entries[index].generation)
    }

    /// Removes an element.
    package mutating func remove(_ handle: Handle) {
        guard handle.index < entries.count, entries[handle.index].generation == handle.generation else { return }
        lists.remove(handle.index, from: &slots[slot(entries[handle.index].time)].list)
        release(handle.index)
        // An empty slot stays until its time, because the next element will most likely need it.
        if count == 0 { slots.removeAll(keepingCapacity: true) }
    }

    /// Removes and returns the elements whose deadline has passed.
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

    /// Puts an element into the slot for its deadline.
    private mutating func sort(_ index: Int, now: NIODeadline) {
        let time = Self.slot(of: entries[index].deadline.uptimeNanoseconds, now: now.uptimeNanoseconds)
        entries[index].time = time
        let slot = slot(time)
        if slot == slots.endIndex || slots[slot].time != time { slots.insert(Slot(time: time), at: slot) }
        lists.append(index, to: &slots[slot].list)
    }

    /// Returns the index of the slot with a start, or the index at which to insert it.
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

    /// Returns the start of the slot for a deadline: after now, and after the deadline by at most the finest slot.
    private static func slot(of deadline: UInt64, now: UInt64) -> UInt64 {
        guard deadline > now, deadline - now > 32 * finest else {
            return min(deadline, .max - finest) / finest * finest + finest
        }
        // The largest power of two that is at most a sixteenth of the distance.
        let size = UInt64(1) << UInt64(63 - ((deadline - now) / 16).leadingZeroBitCount)
        return deadline / size * size
    }
}

extension TimerWheel.Entry: Sendable where Element: Sendable {}
extension TimerWheel: Sendable where Element: Sendable {}
