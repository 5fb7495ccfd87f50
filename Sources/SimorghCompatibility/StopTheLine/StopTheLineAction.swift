// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// The decision for a response; see ``StopTheLine``.
public enum StopTheLineAction: Sendable, Hashable {
    /// Run the action, once for all calls; later requests wait for its end.
    case stopTheLine
    /// Accept the response.
    case passOver
    /// Send this one request again at once.
    case retry
}
