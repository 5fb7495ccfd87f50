// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation

/// How much the random tests try: as much as each run of the tests has time for, or at least a million events for each
/// machine with `SIMORGH_THOROUGH=1` in the environment (`make thorough`).
enum Thoroughness {
    /// Whether there is time for all of it.
    static let isThorough = ProcessInfo.processInfo.environment["SIMORGH_THOROUGH"] == "1"

    /// How many events one seed gets.
    ///
    /// Two million steps share the million, as some of them find nothing that could happen.
    ///
    /// - Parameters:
    ///   - events: How many by default.
    ///   - seeds: How many seeds share the steps.
    /// - Returns: That many, or its part of the two million.
    static func events(_ events: Int, seeds: Int) -> Int { isThorough ? 2_000_000 / seeds : events }
}
