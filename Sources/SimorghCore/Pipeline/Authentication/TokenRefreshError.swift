// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A token was rejected or had expired, and could not be refreshed.
public struct TokenRefreshError: Error, Sendable, CustomStringConvertible {
    /// The error of the refresh.
    public let underlying: any Error

    package init(underlying: any Error) { self.underlying = underlying }

    /// A description of the failure; it does not show a response that could not be decoded, which may hold a token.
    public var description: String {
        if case .decodingError? = underlying as? NetworkError {
            "the token could not be refreshed: the answer could not be decoded"
        } else {
            "the token could not be refreshed: \(underlying)"
        }
    }
}
