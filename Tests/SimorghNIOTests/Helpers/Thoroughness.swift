// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation

/// The extent of the random tests: as much as each test run has time for, or at least a million events per state
/// machine with `SIMORGH_THOROUGH=1` in the environment (`make thorough`).
enum Thoroughness {
    /// True if the tests run at full length.
    static let isThorough = ProcessInfo.processInfo.environment["SIMORGH_THOROUGH"] == "1"

    /// Returns the number of steps for one seed.
    ///
    /// The seeds share two million steps for a million events, as some steps find no possible event.
    ///
    /// - Parameters:
    ///   - events: The default number.
    ///   - seeds: The number of seeds that share the steps.
    /// - Returns: The default number, or the seed's share of the two million.
    static func events(_ events: Int, seeds: Int) -> Int { isThorough ? 2_000_000 / seeds : events }
}
