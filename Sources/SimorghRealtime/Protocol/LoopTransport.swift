// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A transport whose callers may stay on the event loops of its connections.
package protocol LoopTransport: Sendable {
    /// What keeps the calling task on the event loop that it was brought to; `nil` of one that runs anywhere else.
    var callersExecutor: (any TaskExecutor)? { get }
}
