// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Values with costs by key, in the order of their last use (LRU).
///
/// A doubly linked list in an array, with a dictionary of positions: every operation takes constant time.
package struct LRUCache<Key: Hashable, Value> {
    fileprivate struct Node {
        var key: Key
        /// The value; `nil` after removal.
        var value: Value?
        var cost: Int64
        /// The next node in the direction of older use.
        var older: Int
        var newer: Int
    }

    private static var none: Int { -1 }

    private var positions: [Key: Int] = [:]
    private var nodes: [Node] = []
    private var free: [Int] = []
    private var oldest = Self.none
    private var newest = Self.none
    /// The total cost.
    package private(set) var cost: Int64 = 0

    package init() {}

    /// The number of entries.
    package var count: Int { positions.count }
    /// The keys, in no particular order.
    package var keys: some Collection<Key> { positions.keys }

    /// Returns the cost of an entry; `nil` if there is no such entry.
    package func cost(of key: Key) -> Int64? { positions[key].map { nodes[$0].cost } }

    /// Returns the value of an entry without marking it as used; `nil` if there is no such entry.
    package func peek(_ key: Key) -> Value? { positions[key].flatMap { nodes[$0].value } }

    /// Adds an entry or replaces its value and cost, and makes it the most recently used.
    package mutating func insert(_ key: Key, value: Value, cost: Int64 = 1) {
        if let position = positions[key] {
            self.cost += cost - nodes[position].cost
            nodes[position].cost = cost
            nodes[position].value = value
            use(position)
            return
        }
        let node = Node(key: key, value: value, cost: cost, older: newest, newer: Self.none)
        let position: Int
        if let reused = free.popLast() {
            nodes[reused] = node
            position = reused
        } else {
            position = nodes.count
            nodes.append(node)
        }
        if newest != Self.none { nodes[newest].newer = position } else { oldest = position }
        newest = position
        positions[key] = position
        self.cost += cost
    }

    /// Makes an entry the most recently used.
    ///
    /// - Returns: Its value; `nil` if there is no such entry.
    @discardableResult
    package mutating func touch(_ key: Key) -> Value? {
        guard let position = positions[key] else { return nil }
        use(position)
        return nodes[position].value
    }

    /// Changes a value, and makes its entry the most recently used.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - make: Creates the value if there is no entry; its cost is 1.
    ///   - change: Changes the value.
    /// - Returns: The result of `change`.
    package mutating func update<Result>(
        _ key: Key, default make: () -> Value, with change: (inout Value) -> Result
    ) -> Result {
        if let position = positions[key] { use(position) } else { insert(key, value: make()) }
        // Moved out of the node, so that changing the value does not copy it.
        guard var value = nodes[newest].value.take() else { preconditionFailure("a key without a value") }
        defer { nodes[newest].value = value }
        return change(&value)
    }

    private mutating func use(_ position: Int) {
        guard position != newest else { return }
        unlink(position)
        nodes[position].older = newest
        nodes[position].newer = Self.none
        if newest != Self.none { nodes[newest].newer = position } else { oldest = position }
        newest = position
    }

    /// Removes an entry.
    ///
    /// - Returns: Its value; `nil` if there is no such entry.
    @discardableResult
    package mutating func remove(_ key: Key) -> Value? {
        guard let position = positions.removeValue(forKey: key) else { return nil }
        unlink(position)
        free.append(position)
        cost -= nodes[position].cost
        return nodes[position].value.take()
    }

    /// Removes the least recently used entry.
    ///
    /// - Returns: The key and its value; `nil` if there are no entries.
    @discardableResult
    package mutating func removeOldest() -> (key: Key, value: Value)? {
        guard oldest != Self.none else { return nil }
        let key = nodes[oldest].key
        return remove(key).map { (key, $0) }
    }

    private mutating func unlink(_ position: Int) {
        let (older, newer) = (nodes[position].older, nodes[position].newer)
        if older != Self.none { nodes[older].newer = newer } else { oldest = newer }
        if newer != Self.none { nodes[newer].older = older } else { newest = older }
    }
}

extension LRUCache: Sendable where Key: Sendable, Value: Sendable {}
extension LRUCache.Node: Sendable where Key: Sendable, Value: Sendable {}
