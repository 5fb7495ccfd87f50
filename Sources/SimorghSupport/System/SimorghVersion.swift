// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The version of this library.
package enum SimorghVersion {
    package static let current = "0.1.0"
}
