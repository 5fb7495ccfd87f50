// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport

/// Downloads in the order in which they were asked for, kept as they come and go, so that nobody has to sort them.
package struct DownloadOrder: Sendable {
    private struct Place: Sendable {
        let number: Int
        /// `nil` where it is gone.
        var id: UUID?
    }

    private var places: [Place] = []
    private var gone = 0

    package init() {}

    /// All of them.
    package var ids: [UUID] { places.compactMap(\.id) }

    /// Adds one behind all others.
    ///
    /// - Parameters:
    ///   - id: The download.
    ///   - number: By which it is found again: larger than those of all others.
    package mutating func append(_ id: UUID, _ number: Int) { places.append(Place(number: number, id: id)) }

    /// Removes one; where there is none of the number, nothing happens.
    package mutating func remove(_ number: Int) {
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle].number < number { low = middle + 1 } else { high = middle }
        }
        guard low < places.count, places[low].number == number, places[low].id != nil else { return }
        places[low].id = nil
        gone += 1
        // Only when half of them are: so many came before that each paid for one step of this.
        guard gone > places.count / 2 else { return }
        places.removeAll { $0.id == nil }
        gone = 0
    }
}
