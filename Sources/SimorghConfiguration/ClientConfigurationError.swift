// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Configuration
public import SimorghSupport

/// The error of a configuration value that a client cannot use.
public struct ClientConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The key, relative to the reader.
    public let key: String
    /// The reason; it contains no secret.
    public let message: String

    /// The key and the reason.
    public var description: String { "configuration key \(key): \(message)" }
}

extension ClientConfigurationError: LocalizedError {
    /// The error's description.
    public var errorDescription: String? { description }
}
#endif
