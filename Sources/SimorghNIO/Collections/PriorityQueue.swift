// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore

/// A queue in which the more important go first, and among equals who came first.
///
/// Every fourth turn goes to whoever came first of all, so that none waits for ever: with n before it, an element is out
/// after at most 4 (n + 1) turns, whatever comes later. Each level is a ``TicketQueue``; those but the normal one are made
/// when they are needed.
package struct PriorityQueue<Element: Sendable>: Sendable {
    private static var turnsPerElder: Int { 4 }

    private var normal = TicketQueue<Element>()
    private var low: TicketQueue<Element>?
    private var high: TicketQueue<Element>?
    private var critical: TicketQueue<Element>?
    private var turns = 0

    package init() {}

    /// How many elements there are.
    package var count: Int { normal.count + (low?.count ?? 0) + (high?.count ?? 0) + (critical?.count ?? 0) }

    package var isEmpty: Bool { count == 0 }

    /// Whether only the normal level was ever used, which is so for most hosts.
    private var isPlain: Bool { low == nil && high == nil && critical == nil }

    /// Adds an element at the end of its level; its number is larger than all before.
    package mutating func append(_ element: Element, number: UInt64, priority: RequestPriority = .normal) {
        switch priority {
        case .normal: normal.append(element, number: number)
        case .low: low.append(element, number)
        case .high: high.append(element, number)
        case .critical: critical.append(element, number)
        }
    }

    /// Takes out the element whose turn it is.
    package mutating func popFirst() -> (number: UInt64, element: Element)? {
        if isPlain { return normal.popFirst() }
        guard let next = next(of: { queue in queue.first }) else { return nil }
        _ = remove(next.number)
        return next
    }

    /// The element whose turn it is, of those without a mark; it stays, and its turn is used up.
    ///
    /// - Parameter looks: Counts the elements that were looked at.
    /// - Returns: The element and its number; `nil` where each has a mark.
    package mutating func nextUnmarked(looks: inout Int) -> (number: UInt64, element: Element)? {
        if isPlain { return normal.firstUnmarked(looks: &looks) }
        return next { queue in queue.firstUnmarked(looks: &looks) }
    }

    private mutating func next(
        of first: (inout TicketQueue<Element>) -> (number: UInt64, element: Element)?
    ) -> (number: UInt64, element: Element)? {
        turns = (turns + 1) % Self.turnsPerElder
        let firsts = [
            critical.changing(first), high.changing(first), first(&normal), low.changing(first),
        ].compactMap(\.self)
        return turns == 0 ? firsts.min { $0.number < $1.number } : firsts.first
    }

    /// Takes out the element with a number; `nil` when it is not here any more.
    package mutating func remove(_ number: UInt64) -> Element? {
        normal.remove(number) ?? low?.remove(number) ?? high?.remove(number) ?? critical?.remove(number)
    }

    /// Marks the element with a number, where it is still here, so that ``nextUnmarked(looks:)`` passes it over.
    package mutating func mark(_ number: UInt64) {
        normal.mark(number)
        low?.mark(number)
        high?.mark(number)
        critical?.mark(number)
    }

    /// Takes the mark of the element with a number away.
    package mutating func unmark(_ number: UInt64) {
        normal.unmark(number)
        low?.unmark(number)
        high?.unmark(number)
        critical?.unmark(number)
    }

    /// Whether the element with a number is here and has a mark.
    package func isMarked(_ number: UInt64) -> Bool {
        normal.isMarked(number) || low?.isMarked(number) ?? false || high?.isMarked(number) ?? false
            || critical?.isMarked(number) ?? false
    }

    /// The element with a number.
    package subscript(number: UInt64) -> Element? {
        normal[number] ?? low?[number] ?? high?[number] ?? critical?[number]
    }

    /// Takes out the elements of which something holds, the most important first.
    package mutating func removeAll(where isOut: (Element) -> Bool) -> [Element] {
        (critical?.removeAll(where: isOut) ?? []) + (high?.removeAll(where: isOut) ?? [])
            + normal.removeAll(where: isOut) + (low?.removeAll(where: isOut) ?? [])
    }

    /// Takes out everything, the most important first.
    package mutating func removeAll() -> [Element] {
        (critical?.removeAll() ?? []) + (high?.removeAll() ?? []) + normal.removeAll() + (low?.removeAll() ?? [])
    }
}

extension Optional {
    /// What a function that may change a queue says of it; `nil` where there is none.
    fileprivate mutating func changing<Element, Answer>(_ change: (inout Wrapped) -> Answer?) -> Answer?
    where Wrapped == TicketQueue<Element> {
        guard var queue = take() else { return nil }
        defer { self = queue }
        return change(&queue)
    }

    /// Adds an element to a queue, made first where there is none.
    fileprivate mutating func append<Element>(_ element: Element, _ number: UInt64)
    where Wrapped == TicketQueue<Element> {
        var queue = self.take() ?? TicketQueue()
        queue.append(element, number: number)
        self = queue
    }
}
