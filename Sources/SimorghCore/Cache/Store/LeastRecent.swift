// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Keys with their costs, in the order in which they were used.
///
/// A list through an array, beside a dictionary of places: every operation takes the same time however many there are.
package struct LeastRecent<Key: Hashable & Sendable>: Sendable {
    private struct Node: Sendable {
        var key: Key
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

    /// Adds a key, or gives it another cost; it is the one used last.
    package mutating func insert(_ key: Key, cost: Int64) {
        if let place = places[key] {
            self.cost += cost - nodes[place].cost
            nodes[place].cost = cost
            use(place)
            return
        }
        let node = Node(key: key, cost: cost, older: newest, newer: Self.none)
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
    package mutating func touch(_ key: Key) {
        if let place = places[key] { use(place) }
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
    /// - Returns: What it cost; `nil` where it was not there.
    @discardableResult
    package mutating func remove(_ key: Key) -> Int64? {
        guard let place = places.removeValue(forKey: key) else { return nil }
        unlink(place)
        free.append(place)
        cost -= nodes[place].cost
        return nodes[place].cost
    }

    /// Takes the key away that was not used for longest.
    package mutating func removeOldest() -> Key? {
        guard oldest != Self.none else { return nil }
        let key = nodes[oldest].key
        remove(key)
        return key
    }

    private mutating func unlink(_ place: Int) {
        let (older, newer) = (nodes[place].older, nodes[place].newer)
        if older != Self.none { nodes[older].newer = newer } else { oldest = newer }
        if newer != Self.none { nodes[newer].older = older } else { newest = older }
    }
}
