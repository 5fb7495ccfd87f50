// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A transport whose callers may stay on the event loops of its connections.
package protocol EventLoopTransport: Sendable {
    /// The executor that keeps the calling task on its current event loop; `nil` if the task does not run on one.
    var callerExecutor: (any TaskExecutor)? { get }
}
