// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A token was refused, or had ended, and no new one could be got.
public struct TokenRefreshFailure: Error, Sendable, CustomStringConvertible {
    /// Why.
    public let underlying: any Error

    /// What happened; an answer that could not be read is not shown, as it may hold a token.
    public var description: String {
        if case .decodingError? = underlying as? NetworkError {
            "the token could not be refreshed: the answer could not be decoded"
        } else {
            "the token could not be refreshed: \(underlying)"
        }
    }
}
