// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

// With these conformances `localizedDescription` returns the description, both Foundation's property and Simorgh's.

extension TransportError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension InvalidRequest: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension DecodingFailure: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension ResponseFailure: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension RedirectError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension TLSFailure: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension ProxyError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension InvalidTLSOptions: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension InvalidRouteError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension RequestFieldsTooLarge: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension InvalidKeyPathError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension CallFailure: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension ResponseBody.AlreadyConsumed: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension ResponseBody.TooLarge: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
