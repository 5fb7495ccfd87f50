// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The FIFO queue of the hosts that wait for connection capacity.
///
/// It knows the smallest number of connections among its hosts without visiting them: it counts the hosts for each
/// number of connections, and a bit tells whether the count is nonzero.
struct CapacityWaitQueue: Sendable {
    private var queue = TicketQueue<Int>()
    private var hosts: [Int] = []
    private var bits: [UInt64] = []

    var isEmpty: Bool { queue.isEmpty }

    /// The smallest number of connections among the queued hosts; `nil` if the queue is empty.
    var minimumConnections: Int? {
        // An empty queue needs no search, however many bits earlier hosts have left.
        guard !isEmpty, let word = bits.firstIndex(where: { $0 != 0 }) else { return nil }
        return word * 64 + bits[word].trailingZeroBitCount
    }

    /// Appends a host; its number is larger than all earlier ones.
    mutating func append(_ slot: Int, number: UInt64, connections: Int) {
        queue.append(slot, number: number)
        count(connections)
    }

    /// The next host.
    var first: (number: UInt64, slot: Int)? { queue.first.map { ($0.number, $0.element) } }

    /// Removes a host.
    mutating func remove(_ number: UInt64, connections: Int) {
        if queue.remove(number) != nil { uncount(connections) }
    }

    /// Records that a queued host has another number of connections.
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
