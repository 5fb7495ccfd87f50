// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A link whose connection lives on an event loop.
package protocol LoopLink: WebSocketLink {
    /// What keeps a task on that loop; `nil` where nothing does.
    var taskExecutor: (any TaskExecutor)? { get }
}
