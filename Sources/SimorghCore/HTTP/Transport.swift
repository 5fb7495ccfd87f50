// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Sends one request and returns as soon as the response head has arrived, or its whole body if that was requested.
///
/// The end of the pipeline: it opens connections and moves bytes, one attempt per call. It does *not* follow redirects,
/// retry, cache, attach credentials or judge a status: those are ``Interceptor``s. A conforming type
///
/// - honors every timeout of ``TransportOptions/timeouts`` and names the phase in the error it throws;
/// - returns the body as ``TransportOptions/delivery`` says, and never a truncated body as a complete one;
/// - stops at once when the calling task is cancelled, and when a streamed body is released before its end;
/// - sends no byte of the request if the head is not valid.
public protocol Transport: Sendable {
    /// Sends a request.
    ///
    /// - Parameter request: The request, with the scheme, authority and path of its head set.
    /// - Returns: The response.
    /// - Throws: ``TransportError``; a cancelled task throws one with the code ``TransportError/Code/cancelled``.
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse
}
