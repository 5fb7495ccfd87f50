// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// An access token with its expiration date and its refresh token.
public struct AccessToken: Sendable, Hashable, Codable {
    /// The token, as sent in `Authorization: Bearer`.
    public var value: String
    /// The date at which the token expires; `nil` if unknown.
    public var expiration: Date?
    /// The refresh token, which requests a new access token; `nil` if there is no refresh token.
    public var refreshToken: String?

    /// Creates a token.
    ///
    /// - Parameters:
    ///   - value: The token.
    ///   - expiration: The date at which the token expires; `nil` if unknown.
    ///   - refreshToken: The refresh token, which requests a new access token; `nil` if there is no refresh token.
    public init(_ value: String, expiration: Date? = nil, refreshToken: String? = nil) {
        self.value = value
        self.expiration = expiration
        self.refreshToken = refreshToken
    }
}

extension AccessToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A description with the expiration date, without the token.
    public var description: String {
        expiration.map { "token until \(HTTPDate.text($0))" } ?? "token"
    }

    /// A description with the expiration date, without the token.
    public var debugDescription: String { description }

    /// An empty mirror, so that dumping a value does not reveal the token.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
