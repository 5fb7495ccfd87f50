// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A redirect that was followed (RFC 9110, section 15.4).
public struct Redirection: Sendable, Hashable, CustomStringConvertible {
    /// The status code of the redirect.
    public let statusCode: Int
    /// The URL that sent the redirect.
    public let from: String
    /// The URL of the next request, including the fragment, which is not sent to a server.
    public let to: String
    /// The method of the next request.
    public let method: String
    /// True if the `Location` had a user name or a password, which is ignored.
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

    /// True if the redirect leads to another origin, and not only from `http` to `https`.
    package var leavesOrigin: Bool {
        guard let from = WebOrigin(from), let to = WebOrigin(to) else { return true }
        return from != to && !WebOrigin.isUpgrade(of: from.description, to: to.description)
    }

    /// A one-line description without the queries.
    public var description: String {
        "\(statusCode) from \(RedactedURL.withoutQuery(from)) to \(method) \(RedactedURL.withoutQuery(to))"
    }
}
