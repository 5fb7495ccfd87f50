// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// A request type that a ``RetryHandler`` can read and change.
///
/// ``/SimorghCore/TransportRequest`` conforms. `import SimorghURLSession` adds `URLRequest`, for handlers that were
/// written for it.
public protocol RetryableRequest: Sendable {
    /// Converts a request that was sent for the handler.
    ///
    /// - Parameter request: The request.
    /// - Returns: The request as the handler sees it.
    /// - Throws: An error if the request cannot be converted; it is then not sent again.
    static func shown(_ request: TransportRequest) throws -> Self

    /// Returns the request to send, with the handler's changes.
    ///
    /// - Parameter request: The request that was sent.
    /// - Returns: The request to send now.
    /// - Throws: The error that the caller gets instead of another attempt.
    func replacing(_ request: TransportRequest) throws -> TransportRequest
}

extension TransportRequest: RetryableRequest {
    /// Returns the request unchanged.
    public static func shown(_ request: TransportRequest) -> TransportRequest { request }

    /// Returns this request, which replaces the previous one.
    public func replacing(_ request: TransportRequest) -> TransportRequest { self }
}
