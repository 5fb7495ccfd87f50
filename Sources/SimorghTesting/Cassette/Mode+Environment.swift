// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

extension Cassette.Mode {
    /// What the variable `SIMORGH_CASSETTES` of the environment says; `replay` where it says nothing that is known.
    public static var ofEnvironment: Cassette.Mode {
        guard let value = getenv("SIMORGH_CASSETTES") else { return .replay }
        return Cassette.Mode(rawValue: String(cString: value)) ?? .replay
    }
}
