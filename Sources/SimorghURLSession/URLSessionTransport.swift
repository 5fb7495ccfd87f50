// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore
import Synchronization

/// Sends requests through Foundation's `URLSession`: the system's stack on Apple platforms, libcurl on Linux.
///
/// ```swift
/// let client = APIClient(transport: URLSessionTransport())
/// ```
/// Redirects, caching, cookies and credentials are handled by the pipeline, as with every transport, so those of the
/// session are turned off. A request that needs what `URLSession` cannot do fails before it is sent, with
/// ``UnsupportedByURLSessionError`` as the cause; the page of this module lists these features. Requests that are in
/// progress when the last reference is released finish normally.
public final class URLSessionTransport: Transport {
    /// The default limit of unread bytes of a streamed body, if the session cannot be paused: 16 MiB.
    public static let defaultMaximumBufferedBytes = 16 * 1024 * 1024

    private let current: Mutex<SessionOwner>
    private let maximumBufferedBytes: Int

    /// Creates a transport with its own session.
    ///
    /// - Parameters:
    ///   - configuration: The session's configuration; its cache, cookies and credentials are not used. With the
    ///     configuration of a background session, which transfers only files, every request is rejected.
    ///   - delegate: The delegate for certificate checks and metrics, if the platform supports them; retained until
    ///     the last request has ended.
    ///   - qos: The quality of service of the session's work.
    ///   - maximumBufferedBytes: The largest number of bytes of a streamed body to buffer for its reader. On Linux, where
    ///     a task cannot be paused, the exchange fails above it. On Apple platforms the task is paused above 256 KiB, or
    ///     above this number if it is smaller, until the reader has left a quarter of that.
    public init(
        configuration: URLSessionConfiguration = .default,
        delegate: (any URLSessionDelegate)? = nil,
        qos: DispatchQoS = .userInitiated,
        maximumBufferedBytes: Int = defaultMaximumBufferedBytes
    ) {
        current = Mutex(SessionOwner(configuration, userDelegate: delegate, qos: qos))
        self.maximumBufferedBytes = maximumBufferedBytes
    }

    /// Uses a session of another configuration for later requests.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - cancelling: True to cancel requests in progress; by default they finish normally.
    public func updateConfiguration(_ configuration: URLSessionConfiguration, cancelling: Bool = false) {
        let before = current.withLock { owner in
            let before = owner
            owner = SessionOwner(configuration, userDelegate: before.delegate.userDelegate, qos: before.qos)
            return before
        }
        // The session is not invalidated: that traps if a request begins on it concurrently. It ends with its last
        // task.
        if cancelling { before.cancelAll() }
    }

    /// Sends a request.
    ///
    /// - Parameter request: The request, with the scheme, authority and path of its head set.
    /// - Returns: The response.
    /// - Throws: `TransportError`; a cancelled task throws one with the code `cancelled`.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let clock = SessionClock(request.options.timeouts)
        try SessionRequestValidation.check(request)
        // A background session is rejected before the body is read.
        _ = try currentOwner()
        var outgoing: URLRequest
        do throws(InvalidRequestError) {
            var head = request.head
            head.headerFields = try head.headerFields.asText()
            outgoing = try URLRequest(head: head)
        } catch {
            throw .invalid(error)
        }
        // The exchange checks the client's timeouts itself, so that of the session must not apply: 7 days.
        outgoing.timeoutInterval = 7 * 86_400
        outgoing.cachePolicy = .reloadIgnoringLocalCacheData
        if !request.options.decompresses, outgoing.value(forHTTPHeaderField: "Accept-Encoding") == nil {
            outgoing.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        }
        try await SessionRequestValidation.checkNetwork(request)
        let upload = try await SessionUpload(request.body, by: clock, capabilities: .current)
        let exchange = SessionExchange(request, upload: upload, clock: clock, bufferLimit: maximumBufferedBytes)
        // The current session, since reading the body may have taken a while.
        return try await exchange.response(to: outgoing, over: currentOwner())
    }

    private func currentOwner() throws(TransportError) -> SessionOwner {
        let owner = current.withLock { $0 }
        try SessionRequestValidation.check(owner)
        return owner
    }
}
