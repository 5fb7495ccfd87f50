// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Values and their costs by key, in the order in which they were used.
///
/// A list through an array, beside a dictionary of places: every operation takes the same time however many there are.
package struct LeastRecent<Key: Hashable, Value> {
    fileprivate struct Node {
        var key: Key
        /// `nil` once it is removed.
        var value: Value?
        var cost: Int64
        /// Towards those used longer ago.
        var older: Int
        var newer: Int
    }

    private static var none: Int { -1 }

    private var places: [Key: Int] = [:]
    private var nodes: [Node] = []
    private var free: [Int] = []
    private var oldest = Self.none
    private var newest = Self.none
    /// What all cost together.
    package private(set) var cost: Int64 = 0

    package init() {}

    /// How many there are.
    package var count: Int { places.count }
    /// All of them, in no order.
    package var keys: some Collection<Key> { places.keys }

    /// What one costs; `nil` where it is not there.
    package func cost(of key: Key) -> Int64? { places[key].map { nodes[$0].cost } }

    /// Adds a key, or gives it another value and cost; it is the one used last.
    package mutating func insert(_ key: Key, _ value: Value, cost: Int64 = 1) {
        if let place = places[key] {
            self.cost += cost - nodes[place].cost
            nodes[place].cost = cost
            nodes[place].value = value
            use(place)
            return
        }
        let node = Node(key: key, value: value, cost: cost, older: newest, newer: Self.none)
        let place: Int
        if let reused = free.popLast() {
            nodes[reused] = node
            place = reused
        } else {
            place = nodes.count
            nodes.append(node)
        }
        if newest != Self.none { nodes[newest].newer = place } else { oldest = place }
        newest = place
        places[key] = place
        self.cost += cost
    }

    /// Makes a key the one used last.
    ///
    /// - Returns: Its value; `nil` if it is not there.
    @discardableResult
    package mutating func touch(_ key: Key) -> Value? {
        guard let place = places[key] else { return nil }
        use(place)
        return nodes[place].value
    }

    /// Changes a value, and makes its key the one used last.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - make: Makes the value if the key is not there; it costs 1.
    ///   - change: Changes the value.
    /// - Returns: What `change` returns.
    package mutating func update<Result>(
        _ key: Key, default make: () -> Value, _ change: (inout Value) -> Result
    ) -> Result {
        if let place = places[key] { use(place) } else { insert(key, make()) }
        // The value is taken out, so that its change does not copy it.
        guard var value = nodes[newest].value.take() else { preconditionFailure("a key without a value") }
        defer { nodes[newest].value = value }
        return change(&value)
    }

    private mutating func use(_ place: Int) {
        guard place != newest else { return }
        unlink(place)
        nodes[place].older = newest
        nodes[place].newer = Self.none
        if newest != Self.none { nodes[newest].newer = place } else { oldest = place }
        newest = place
    }

    /// Takes a key away.
    ///
    /// - Returns: Its value; `nil` where it was not there.
    @discardableResult
    package mutating func remove(_ key: Key) -> Value? {
        guard let place = places.removeValue(forKey: key) else { return nil }
        unlink(place)
        free.append(place)
        cost -= nodes[place].cost
        return nodes[place].value.take()
    }

    /// Takes the key away that was not used for longest.
    ///
    /// - Returns: The key and its value; `nil` if there is none.
    @discardableResult
    package mutating func removeOldest() -> (key: Key, value: Value)? {
        guard oldest != Self.none else { return nil }
        let key = nodes[oldest].key
        return remove(key).map { (key, $0) }
    }

    private mutating func unlink(_ place: Int) {
        let (older, newer) = (nodes[place].older, nodes[place].newer)
        if older != Self.none { nodes[older].newer = newer } else { oldest = newer }
        if newer != Self.none { nodes[newer].older = older } else { newest = older }
    }
}

extension LeastRecent: Sendable where Key: Sendable, Value: Sendable {}
extension LeastRecent.Node: Sendable where Key: Sendable, Value: Sendable {}
