// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// A stub of Heap of swift-collections with the declarations that this project uses.
// Not part of Apple's SDK: a package, so its declarations need no addresses of Apple's documentation.
@frozen
public struct Heap<Element: Comparable> {
    public init() {}
    public var isEmpty: Bool { true }
    public var min: Element? { nil }
    public mutating func insert(_ element: Element) {}
    public mutating func popMin() -> Element? { nil }
    public mutating func removeAll(where shouldBeRemoved: (Element) throws -> Bool) rethrows {}
}

extension Heap: Sendable where Element: Sendable {}
