// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A queue in which each element has a number, by which it can be removed from anywhere.
///
/// Numbers need not grow. The slot of a removed element stays until it is first, or until such slots are more than the
/// elements and 64: the queue does not grow while its first element waits and others come and go.
///
/// Public, although no user sees this module, so that the compiler specializes it in other targets.
public struct NumberedQueue<Element: Sendable>: Sendable {
    /// The numbers in their order; those without an element were removed.
    @usableFromInline var numbers = Deque<UInt64>()
    @usableFromInline var elements: [UInt64: Element] = [:]

    /// Creates an empty queue.
    @inlinable public init() {}

    /// The number of elements.
    @inlinable public var count: Int { elements.count }
    /// True if no element is kept.
    @inlinable public var isEmpty: Bool { elements.isEmpty }
    /// The elements in their order.
    @inlinable public var inOrder: [Element] { numbers.compactMap { elements[$0] } }
    /// The number of slots, including those of removed elements; for tests.
    package var slots: Int { numbers.count }

    /// Adds an element behind all others.
    ///
    /// - Parameters:
    ///   - element: The element.
    ///   - number: Its number, which no other element has or had.
    @inlinable
    public mutating func append(_ element: Element, number: UInt64) {
        numbers.append(number)
        elements[number] = element
    }

    /// Takes out the element with a number; `nil` if there is none.
    @inlinable
    @discardableResult
    public mutating func remove(_ number: UInt64) -> Element? {
        guard let element = elements.removeValue(forKey: number) else { return nil }
        trim()
        return element
    }

    /// Takes out the element that came first; `nil` if there is none.
    @inlinable
    public mutating func popFirst() -> Element? {
        while let number = numbers.popFirst() {
            guard let element = elements.removeValue(forKey: number) else { continue }
            trim()
            return element
        }
        return nil
    }

    /// Takes out all elements.
    ///
    /// - Returns: The elements, in no order.
    @inlinable
    public mutating func removeAll() -> [Element] {
        defer { self = NumberedQueue() }
        return Array(elements.values)
    }

    @inlinable
    mutating func trim() {
        if elements.isEmpty {
            // A deque does not shrink: the memory that a burst took is given back here.
            numbers = Deque()
        } else if numbers.count > 2 * elements.count + 64 {
            numbers.removeAll { elements[$0] == nil }
        }
    }
}
