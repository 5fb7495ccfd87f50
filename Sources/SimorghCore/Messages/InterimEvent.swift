// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes

/// A response that came before the final one.
public struct InterimEvent: Sendable, Hashable {
    /// The call it is about.
    public let callID: CallContext.ID
    /// Its status, 100 to 199, and its fields.
    public let response: HTTPResponse

    package init(_ response: HTTPResponse, callID: CallContext.ID) {
        self.callID = callID
        self.response = response
    }
}
