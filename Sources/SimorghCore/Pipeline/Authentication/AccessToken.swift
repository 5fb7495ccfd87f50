// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// A token with what is known of it: when it ends, and what a new one is got with.
public struct AccessToken: Sendable, Hashable, Codable {
    /// The token, as `Authorization: Bearer` carries it.
    public var value: String
    /// When it ends; `nil` where that is not known.
    public var expiration: Date?
    /// What a new one is got with; `nil` for none.
    public var refreshToken: String?

    /// Creates a token.
    ///
    /// - Parameters:
    ///   - value: The token.
    ///   - expiration: When it ends; `nil` where that is not known.
    ///   - refreshToken: What a new one is got with; `nil` for none.
    public init(_ value: String, expiration: Date? = nil, refreshToken: String? = nil) {
        self.value = value
        self.expiration = expiration
        self.refreshToken = refreshToken
    }
}

extension AccessToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// When it ends; never the token.
    public var description: String {
        expiration.map { "token until \(HTTPDate.text($0))" } ?? "token"
    }

    /// When it ends; never the token.
    public var debugDescription: String { description }

    /// Nothing: what dumps a value shows no token either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
