// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// What a response means for the line; see ``StopTheLine``.
public enum StopTheLineAction: Sendable, Hashable {
    /// Nothing can go on like this: the action runs, once for all, and later requests wait for its end.
    case stopTheLine
    /// The response is as it should be.
    case passOver
    /// This one request is sent again, at once.
    case retry
}
