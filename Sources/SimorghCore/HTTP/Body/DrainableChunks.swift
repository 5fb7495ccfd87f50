// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The chunks of an exchange that can drain its own body.
package protocol DrainableChunks {
    /// Stops delivery because the rest of the body is not needed.
    ///
    /// If the end of the body is near, the exchange drains it instead of closing, so that its connection can be
    /// reused.
    func linger()
}
