// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// A request as a ``RetryHandler`` is shown it, and as it may change it.
///
/// ``/SimorghCore/TransportRequest`` is one. `import SimorghURLSession` makes `URLRequest` another, for handlers that were written for
/// it.
public protocol RetryableRequest: Sendable {
    /// Shows a request that was sent.
    ///
    /// - Parameter request: The request.
    /// - Returns: What the handler sees of it.
    /// - Throws: What is the matter with a request that cannot be shown; it is not sent again then.
    static func shown(_ request: TransportRequest) throws -> Self

    /// The request to send, with what the handler changed.
    ///
    /// - Parameter request: What was sent.
    /// - Returns: What to send now.
    /// - Throws: What the caller gets in place of another attempt.
    func replacing(_ request: TransportRequest) throws -> TransportRequest
}

extension TransportRequest: RetryableRequest {
    /// The request itself.
    public static func shown(_ request: TransportRequest) -> TransportRequest { request }

    /// This request, whatever it was before.
    public func replacing(_ request: TransportRequest) -> TransportRequest { self }
}
