// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A redirect that was followed (RFC 9110, section 15.4).
public struct Redirection: Sendable, Hashable {
    /// The status that asked for it.
    public let statusCode: Int
    /// The URL that answered.
    public let from: String
    /// The URL that was asked next.
    public let to: String

    package init(statusCode: Int, from: String, to: String) {
        self.statusCode = statusCode
        self.from = from
        self.to = to
    }
}
