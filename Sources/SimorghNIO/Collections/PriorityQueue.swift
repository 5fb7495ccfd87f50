// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore

/// A queue that returns elements by priority, and in FIFO order within a priority.
///
/// Every fourth turn goes to the oldest element of all priorities, so that no element starves: an element with n older
/// ones is returned after at most 4 (n + 1) turns, whatever is added later. Each priority has a ``TicketQueue``; those
/// except the normal one are created on first use.
package struct PriorityQueue<Element: Sendable>: Sendable {
    private static var turnsPerOldest: Int { 4 }

    private var normal = TicketQueue<Element>()
    private var low: TicketQueue<Element>?
    private var high: TicketQueue<Element>?
    private var critical: TicketQueue<Element>?
    private var turns = 0

    package init() {}

    /// The number of elements.
    package var count: Int { normal.count + (low?.count ?? 0) + (high?.count ?? 0) + (critical?.count ?? 0) }

    package var isEmpty: Bool { count == 0 }

    /// True if only the normal priority was ever used, as for most hosts.
    private var isPlain: Bool { low == nil && high == nil && critical == nil }

    /// Appends an element to its priority; its number is larger than all earlier ones.
    package mutating func append(_ element: Element, number: UInt64, priority: RequestPriority = .normal) {
        switch priority {
        case .normal: normal.append(element, number: number)
        case .low: low.append(element, number: number)
        case .high: high.append(element, number: number)
        case .critical: critical.append(element, number: number)
        }
    }

    /// Removes and returns the next element.
    package mutating func popFirst() -> (number: UInt64, element: Element)? {
        if isPlain { return normal.popFirst() }
        guard let next = next(of: { queue in queue.first }) else { return nil }
        _ = remove(next.number)
        return next
    }

    /// Returns the next unmarked element; the element stays, and the turn is used up.
    ///
    /// - Parameter visits: Counts the visited elements.
    /// - Returns: The element and its number; `nil` if all are marked.
    package mutating func nextUnmarked(visits: inout Int) -> (number: UInt64, element: Element)? {
        if isPlain { return normal.firstUnmarked(visits: &visits) }
        return next { queue in queue.firstUnmarked(visits: &visits) }
    }

    private mutating func next(
        of first: (inout TicketQueue<Element>) -> (number: UInt64, element: Element)?
    ) -> (number: UInt64, element: Element)? {
        turns = (turns + 1) % Self.turnsPerOldest
        let firsts = [
            critical.changing(first), high.changing(first), first(&normal), low.changing(first),
        ].compactMap(\.self)
        return turns == 0 ? firsts.min { $0.number < $1.number } : firsts.first
    }

    /// Removes the element with a number; `nil` if it is not in the queue.
    package mutating func remove(_ number: UInt64) -> Element? {
        normal.remove(number) ?? low?.remove(number) ?? high?.remove(number) ?? critical?.remove(number)
    }

    /// Marks the element with a number, if it is in the queue, so that ``nextUnmarked(visits:)`` skips it.
    package mutating func mark(_ number: UInt64) {
        normal.mark(number)
        low?.mark(number)
        high?.mark(number)
        critical?.mark(number)
    }

    /// Unmarks the element with a number.
    package mutating func unmark(_ number: UInt64) {
        normal.unmark(number)
        low?.unmark(number)
        high?.unmark(number)
        critical?.unmark(number)
    }

    /// Returns true if the element with a number is in the queue and marked.
    package func isMarked(_ number: UInt64) -> Bool {
        normal.isMarked(number) || low?.isMarked(number) ?? false || high?.isMarked(number) ?? false
            || critical?.isMarked(number) ?? false
    }

    /// The element with a number; `nil` if it is not in the queue.
    package subscript(number: UInt64) -> Element? {
        normal[number] ?? low?[number] ?? high?[number] ?? critical?[number]
    }

    /// Removes the elements that satisfy a predicate, the highest priority first.
    package mutating func removeAll(where isOut: (Element) -> Bool) -> [Element] {
        (critical?.removeAll(where: isOut) ?? []) + (high?.removeAll(where: isOut) ?? [])
            + normal.removeAll(where: isOut) + (low?.removeAll(where: isOut) ?? [])
    }

    /// Removes all elements, the highest priority first.
    package mutating func removeAll() -> [Element] {
        (critical?.removeAll() ?? []) + (high?.removeAll() ?? []) + normal.removeAll() + (low?.removeAll() ?? [])
    }
}

extension Optional {
    /// Calls a function that may change the queue; `nil` if there is no queue.
    fileprivate mutating func changing<Element, Answer>(_ change: (inout Wrapped) -> Answer?) -> Answer?
    where Wrapped == TicketQueue<Element> {
        guard var queue = take() else { return nil }
        defer { self = queue }
        return change(&queue)
    }

    /// Appends an element to the queue, and creates the queue if necessary.
    fileprivate mutating func append<Element>(_ element: Element, number: UInt64)
    where Wrapped == TicketQueue<Element> {
        var queue = self.take() ?? TicketQueue()
        queue.append(element, number: number)
        self = queue
    }
}
