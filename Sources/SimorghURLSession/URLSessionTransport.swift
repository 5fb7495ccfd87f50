// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore
import Synchronization

/// Carries requests through Foundation's `URLSession`: the system's own stack on Apple's systems, libcurl on Linux.
///
/// ```swift
/// let client = APIClient(transport: URLSessionTransport())
/// ```
/// Redirects, caching, cookies and credentials are the chain's, as on every transport, so the session's own are turned
/// off. What `URLSession` cannot do fails the request before it leaves, with ``UnsupportedByURLSession`` as the cause; the
/// page on this module lists it. Requests that are on their way when the last reference goes finish as they would.
public final class URLSessionTransport: Transport {
    /// How far a reader of a stream may fall behind where a session cannot be told to wait, unless told otherwise: 16 MiB.
    public static let defaultMaximumBufferedBytes = 16 * 1024 * 1024

    private let current: Mutex<SessionSeat>
    private let maximumBufferedBytes: Int

    /// Creates a transport with a session of its own.
    ///
    /// - Parameters:
    ///   - configuration: The session's; its cache, cookies and credentials are not used. With one of a background session,
    ///     which carries files alone, every request is refused.
    ///   - delegate: Asked about certificates, and told of metrics, where the platform does so; kept until the last request
    ///     is over.
    ///   - qos: How urgent the session's work is.
    ///   - maximumBufferedBytes: How many bytes of a streamed body may wait for their reader; more ends the exchange.
    public init(
        configuration: URLSessionConfiguration = .default,
        delegate: (any URLSessionDelegate)? = nil,
        qos: DispatchQoS = .userInitiated,
        maximumBufferedBytes: Int = defaultMaximumBufferedBytes
    ) {
        current = Mutex(SessionSeat(configuration, delegate, qos))
        self.maximumBufferedBytes = maximumBufferedBytes
    }

    /// Sends later requests through a session of another configuration.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - cancelling: Whether requests that are on their way are cancelled; they finish as they would by default.
    public func updateConfiguration(_ configuration: URLSessionConfiguration, cancelling: Bool = false) {
        let before = current.withLock { seat in
            let before = seat
            seat = SessionSeat(configuration, before.delegate.users, before.qos)
            return before
        }
        // Not by invalidating the session, which traps where a request begins on it just then. It ends with its last task.
        if cancelling { before.delegate.cancelAll() }
    }

    /// Sends a request.
    ///
    /// - Parameter request: The request, with the scheme, authority and path of its head set.
    /// - Returns: The response.
    /// - Throws: `TransportError`; a cancelled task throws one with the code `cancelled`.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let clock = SessionClock(request.options.timeouts)
        try SessionRules.check(request)
        _ = try seat()
        var outgoing: URLRequest
        do throws(InvalidRequest) {
            var head = request.head
            head.headerFields = try head.headerFields.asText()
            outgoing = try URLRequest(head: head)
        } catch {
            throw .invalid(error)
        }
        // Our own limits hold; the session's is behind the longest of them.
        outgoing.timeoutInterval = 7 * 86_400
        outgoing.cachePolicy = .reloadIgnoringLocalCacheData
        if !request.options.decompresses, outgoing.value(forHTTPHeaderField: "Accept-Encoding") == nil {
            outgoing.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        }
        let upload = try await SessionUpload(request.body, by: clock)
        let exchange = SessionExchange(request, upload, clock, bufferBound: maximumBufferedBytes)
        // That of now: reading the body may have taken a while.
        return try await exchange.response(to: outgoing, over: seat())
    }

    private func seat() throws(TransportError) -> SessionSeat {
        let seat = current.withLock { $0 }
        try SessionRules.check(seat)
        return seat
    }
}
