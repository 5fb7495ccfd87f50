// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

extension Cassette.Mode {
    /// The mode in the environment variable `SIMORGH_CASSETTES`; `replay` if it is not set or not known.
    public static var ofEnvironment: Cassette.Mode {
        guard let value = getenv("SIMORGH_CASSETTES") else { return .replay }
        return Cassette.Mode(rawValue: String(cString: value)) ?? .replay
    }
}
