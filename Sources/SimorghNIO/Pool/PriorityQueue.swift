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

    private subscript(priority: RequestPriority) -> TicketQueue<Element>? {
        get {
            switch priority {
            case .low: low
            case .normal: normal
            case .high: high
            case .critical: critical
            }
        }
        set {
            switch priority {
            case .low: low = newValue
            case .normal: normal = newValue ?? TicketQueue()
            case .high: high = newValue
            case .critical: critical = newValue
            }
        }
    }

    /// Whether only the normal level was ever used, which is so for most hosts.
    private var isPlain: Bool { low == nil && high == nil && critical == nil }

    private static var levels: [RequestPriority] { [.critical, .high, .normal, .low] }

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
        guard let next = next(where: { _ in true }) else { return nil }
        _ = remove(next.number)
        return next
    }

    /// The element whose turn it is, of those for which a test holds; it stays, and its turn is used up.
    package mutating func next(where test: (Element) -> Bool) -> (number: UInt64, element: Element)? {
        if isPlain { return normal.first(where: test) }
        turns = (turns + 1) % Self.turnsPerElder
        var best: (number: UInt64, element: Element)?
        for level in Self.levels {
            guard let first = self[level]?.first(where: test) else { continue }
            if turns != 0 { return first }
            if best.map({ first.number < $0.number }) ?? true { best = first }
        }
        return best
    }

    /// Takes out the element with a number; `nil` when it is not here any more.
    package mutating func remove(_ number: UInt64) -> Element? {
        normal.remove(number) ?? low?.remove(number) ?? high?.remove(number) ?? critical?.remove(number)
    }

    /// Changes the element with a number in place, where it is still here.
    package mutating func update(_ number: UInt64, _ change: (inout Element) -> Void) {
        normal.update(number, change)
        low?.update(number, change)
        high?.update(number, change)
        critical?.update(number, change)
    }

    /// The element with a number.
    package subscript(number: UInt64) -> Element? {
        normal[number] ?? low?[number] ?? high?[number] ?? critical?[number]
    }

    /// Takes out everything, the most important first.
    package mutating func removeAll() -> [Element] {
        var elements: [Element] = []
        for level in Self.levels { elements += self[level]?.removeAll() ?? [] }
        return elements
    }
}

extension Optional {
    /// Adds an element to a queue, made first where there is none.
    fileprivate mutating func append<Element>(_ element: Element, _ number: UInt64)
    where Wrapped == TicketQueue<Element> {
        var queue = self.take() ?? TicketQueue()
        queue.append(element, number: number)
        self = queue
    }
}
