// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A queue in which each element has a number, with which it can be removed from anywhere.
///
/// Numbers need not increase. The slot of a removed element remains until it is first, or until there are more such
/// slots than elements plus 64: the queue does not grow while its first element waits and others come and go.
///
/// Public, so that the compiler specializes it in other targets; users do not see this module.
public struct NumberedQueue<Element: Sendable>: Sendable {
    /// The numbers in order; those without an element were removed.
    @usableFromInline var numbers = Deque<UInt64>()
    @usableFromInline var elements: [UInt64: Element] = [:]

    /// Creates an empty queue.
    @inlinable public init() {}

    /// The number of elements.
    @inlinable public var count: Int { elements.count }
    /// True if the queue has no elements.
    @inlinable public var isEmpty: Bool { elements.isEmpty }
    /// The elements in order.
    @inlinable public var inOrder: [Element] { numbers.compactMap { elements[$0] } }
    /// The number of slots, including those of removed elements; for tests.
    package var slots: Int { numbers.count }

    /// Adds an element at the end.
    ///
    /// - Parameters:
    ///   - element: The element.
    ///   - number: Its number, which must be unique for the lifetime of the queue.
    @inlinable
    public mutating func append(_ element: Element, number: UInt64) {
        numbers.append(number)
        elements[number] = element
    }

    /// Removes and returns the element with a number; `nil` if there is no such element.
    @inlinable
    @discardableResult
    public mutating func remove(_ number: UInt64) -> Element? {
        guard let element = elements.removeValue(forKey: number) else { return nil }
        trim()
        return element
    }

    /// Removes and returns the first element; `nil` if the queue is empty.
    @inlinable
    public mutating func popFirst() -> Element? {
        while let number = numbers.popFirst() {
            guard let element = elements.removeValue(forKey: number) else { continue }
            trim()
            return element
        }
        return nil
    }

    /// Removes all elements.
    ///
    /// - Returns: The elements, in no particular order.
    @inlinable
    public mutating func removeAll() -> [Element] {
        defer { self = NumberedQueue() }
        return Array(elements.values)
    }

    @inlinable
    mutating func trim() {
        if elements.isEmpty {
            // A deque does not shrink: this releases the memory that a burst allocated.
            numbers = Deque()
        } else if numbers.count > 2 * elements.count + 64 {
            numbers.removeAll { elements[$0] == nil }
        }
    }
}
