// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation

/// How much the random tests try: as much as each run of the tests has time for, or a million events for each machine with
/// `SIMORGH_THOROUGH=1` in the environment (`make thorough`).
enum Thoroughness {
    private static let isThorough = ProcessInfo.processInfo.environment["SIMORGH_THOROUGH"] == "1"

    /// How many events one seed gets.
    ///
    /// - Parameters:
    ///   - events: How many by default.
    ///   - seeds: How many seeds share the million.
    /// - Returns: That many, or its part of the million.
    static func events(_ events: Int, seeds: Int) -> Int { isThorough ? 1_000_000 / seeds : events }
}
