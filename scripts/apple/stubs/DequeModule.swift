// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// A stub of Deque of swift-collections with the declarations that this project uses; checking its own sources takes long.
// Not part of Apple's SDK: a package, so its declarations need no addresses of Apple's documentation.
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
