// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The hosts that would dial if there were room, in their turns.
///
/// It knows how few connections the poorest of them has without looking at them: for each number of connections it
/// counts the hosts that have so many, and a bit says whether that is more than none.
struct RoomLine: Sendable {
    private var line = TicketQueue<Int>()
    private var hosts: [Int] = []
    private var bits: [UInt64] = []

    var isEmpty: Bool { line.isEmpty }

    /// How few connections one of them has; `nil` where nobody is in line.
    var fewest: Int? {
        // What a crowd has left is not looked through for nobody.
        guard !isEmpty, let word = bits.firstIndex(where: { $0 != 0 }) else { return nil }
        return word * 64 + bits[word].trailingZeroBitCount
    }

    /// A host comes; its number is larger than all before.
    mutating func append(_ slot: Int, number: UInt64, connections: Int) {
        line.append(slot, number: number)
        count(connections)
    }

    /// The host whose turn it is.
    var first: (number: UInt64, slot: Int)? { line.first.map { ($0.number, $0.element) } }

    /// A host leaves.
    mutating func remove(_ number: UInt64, connections: Int) {
        if line.remove(number) != nil { uncount(connections) }
    }

    /// A host in line has another number of connections.
    mutating func changed(from before: Int, to after: Int) {
        uncount(before)
        count(after)
    }

    private mutating func count(_ connections: Int) {
        while hosts.count <= connections { hosts.append(0) }
        while bits.count * 64 <= connections { bits.append(0) }
        hosts[connections] += 1
        bits[connections / 64] |= 1 << UInt64(connections % 64)
    }

    private mutating func uncount(_ connections: Int) {
        hosts[connections] -= 1
        if hosts[connections] == 0 { bits[connections / 64] &= ~(1 << UInt64(connections % 64)) }
    }
}
