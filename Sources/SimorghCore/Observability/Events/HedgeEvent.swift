// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A request that is sent once more beside itself; see ``Hedging``.
public struct HedgeEvent: Sendable, Hashable {
    /// The call it is about.
    public let callID: CallContext.ID
    /// How many of it are on their way, or were, this one with them.
    public let requests: Int

    package init(requests: Int, callID: CallContext.ID) {
        self.callID = callID
        self.requests = requests
    }
}
