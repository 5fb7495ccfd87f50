// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

// With these conformances `localizedDescription` returns the description, both Foundation's property and Simorgh's.

extension TransportError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension InvalidRequestError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension ResponseDecodingError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension ResponseError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension RedirectError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension TLSError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension ProxyError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension TLSOptionsError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension InvalidRouteError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension RequestFieldsTooLargeError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension InvalidKeyPathError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension CallError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension ResponseBody.AlreadyConsumedError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension ResponseBody.TooLargeError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
