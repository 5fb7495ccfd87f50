// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// The shape of Deque of swift-collections, as far as this project uses it; its own sources take long to check.
@frozen
public struct Deque<Element>: RandomAccessCollection, RangeReplaceableCollection, MutableCollection {
    public init() {}
    public var startIndex: Int { 0 }
    public var endIndex: Int { 0 }
    public subscript(position: Int) -> Element {
        get { preconditionFailure() }
        set {}
    }
    public mutating func replaceSubrange<C: Collection>(_ range: Range<Int>, with elements: C) where C.Element == Element {}
    public mutating func popFirst() -> Element? { nil }
}

extension Deque: Sendable where Element: Sendable {}
