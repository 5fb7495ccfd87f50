// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A second request was sent in parallel to a slow one; see ``Hedging``.
public struct HedgeEvent: Sendable, Hashable {
    /// The id of the call.
    public let callID: CallContext.ID
    /// The number of parallel requests of the call so far, including this one.
    public let requests: Int

    package init(requests: Int, callID: CallContext.ID) {
        self.callID = callID
        self.requests = requests
    }
}
