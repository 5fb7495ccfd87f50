// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A redirect that was followed (RFC 9110, section 15.4).
public struct Redirection: Sendable, Hashable, CustomStringConvertible {
    /// The status that asked for it.
    public let statusCode: Int
    /// The URL that answered.
    public let from: String
    /// The URL that was asked next; with the fragment, which no server is told.
    public let to: String
    /// The method that the next URL was asked with.
    public let method: String
    /// True if the `Location` had a user name or a password, which is not used.
    public let ignoresUserInfo: Bool

    package init(
        statusCode: Int, from: String, to: String, method: String = "GET", ignoresUserInfo: Bool = false
    ) {
        self.statusCode = statusCode
        self.from = from
        self.to = to
        self.method = method
        self.ignoresUserInfo = ignoresUserInfo
    }

    /// One line, the queries hidden.
    public var description: String {
        "\(statusCode) from \(ShownURL.withoutQuery(from)) to \(method) \(ShownURL.withoutQuery(to))"
    }
}
