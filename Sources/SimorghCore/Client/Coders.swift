// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The default coders: one decoder and one encoder for the process, never changed.
package enum Coders {
    package static let decoder = JSONDecoder()
    package static let encoder = JSONEncoder()
}
