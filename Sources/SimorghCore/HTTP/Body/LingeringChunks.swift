// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The chunks of an exchange that may be left to end by itself.
package protocol LingeringChunks {
    /// Nobody wants what is left of the body; yet where its end is near, its exchange need not be closed for that, and
    /// leaves its connection to the next one.
    func linger()
}
