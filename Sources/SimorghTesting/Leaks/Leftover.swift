// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// One thing that is held or running.
package struct Leftover: Hashable, Sendable {
    /// Tells it from others of its name; `nil` where who watches it knows nothing but names.
    package let id: Int?
    /// What it is, in words.
    package let name: String

    package init(id: Int? = nil, name: String) {
        self.id = id
        self.name = name
    }

    /// All that is left over of something that is watched.
    static func all(of watched: any LeakWatched) -> [Leftover] {
        if let numbered = watched as? any NumberedLeftovers { return numbered.numberedLeftovers }
        return watched.leftovers.map { Leftover(name: $0) }
    }
}

/// Something whose leftovers have numbers, so that a new one is not taken for one that was there and has ended meanwhile.
package protocol NumberedLeftovers: LeakWatched {
    /// What is held or running now.
    var numberedLeftovers: [Leftover] { get }
}

extension ScriptedTransport: NumberedLeftovers {
    package var numberedLeftovers: [Leftover] { running.leftovers }
}

extension StubServer: NumberedLeftovers {
    package var numberedLeftovers: [Leftover] { running.leftovers }
}

extension Cassette: NumberedLeftovers {
    package var numberedLeftovers: [Leftover] { running.leftovers }
}

extension MockServer: NumberedLeftovers {
    package var numberedLeftovers: [Leftover] { hub.running.leftovers }
}
