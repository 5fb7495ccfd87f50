// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Who waits for a turn, the first first; each has a number, by which it leaves.
///
/// Numbers need not grow, as who draws one may be overtaken before it stands in line. Who leaves from within leaves a hole,
/// and holes go when they outnumber who waits: a line that does not move, and whose people come and go, does not grow.
package struct TurnLine<Turn: Sendable>: Sendable {
    /// The numbers of who waits, the first at `head`, and holes; who left is not in `turns` any more.
    private var numbers: [UInt64] = []
    private var head = 0
    private var turns: [UInt64: Turn] = [:]

    package init() {}

    package var isEmpty: Bool { turns.isEmpty }

    /// How many places the line takes in memory, holes with them; for tests.
    package var places: Int { numbers.count }

    /// Somebody comes, whose number nobody else has or had.
    package mutating func append(_ turn: Turn, number: UInt64) {
        numbers.append(number)
        turns[number] = turn
    }

    /// Somebody waits no longer.
    ///
    /// - Parameter number: Whose number.
    /// - Returns: Who it is; `nil` where nobody with that number waits.
    package mutating func remove(_ number: UInt64) -> Turn? {
        guard let turn = turns.removeValue(forKey: number) else { return nil }
        trim()
        return turn
    }

    /// Whoever is first waits no longer.
    package mutating func popFirst() -> Turn? {
        while head < numbers.count {
            let turn = turns.removeValue(forKey: numbers[head])
            head += 1
            guard let turn else { continue }
            trim()
            return turn
        }
        return nil
    }

    /// Nobody waits any longer.
    ///
    /// - Returns: Who did, in no order.
    package mutating func removeAll() -> [Turn] {
        defer { self = TurnLine() }
        return Array(turns.values)
    }

    private mutating func trim() {
        if turns.isEmpty {
            numbers.removeAll(keepingCapacity: numbers.count <= 64)
            head = 0
        } else if numbers.count > 2 * turns.count + 64 {
            numbers = numbers[head...].filter { turns[$0] != nil }
            head = 0
        }
    }
}
