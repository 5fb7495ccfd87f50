// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore

/// Sends requests through Foundation's `URLSession`: the system's stack on Apple platforms, libcurl on Linux.
///
/// ```swift
/// let client = APIClient(transport: URLSessionTransport())
/// ```
/// Redirects, caching, cookies and credentials are handled by the pipeline, as with every transport, so those of the
/// session are turned off. A request that needs what `URLSession` cannot do fails before it is sent, with
/// ``UnsupportedByURLSessionError`` as the cause; the page of this module lists these features. Requests that are in
/// progress when the last reference is released finish normally.
///
/// Requests with the same TLS options and proxy share a session; other ones have a session of their own. At most 32
/// sessions are kept, and a session ends five minutes after its last request.
public final class URLSessionTransport: Transport {
    /// The transport that all clients share unless they use another one: the default of `import Simorgh` on Apple
    /// platforms.
    ///
    /// Its session has the default configuration and no delegate of the user.
    /// ``updateConfiguration(_:cancelling:)`` changes it for every client of the process.
    public static let shared = URLSessionTransport()

    /// The default limit of unread bytes of a streamed body, if the session cannot be paused: 16 MiB.
    public static let defaultMaximumBufferedBytes = 16 * 1024 * 1024

    private let pool: SessionPool
    private let capabilities: SessionCapabilities
    private let maximumBufferedBytes: Int
    /// True if the app has said that watchOS allows it to open WebSockets.
    let allowsLowLevelNetworking: Bool

    /// Creates a transport with its own sessions.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the sessions; its cache, cookies and credentials are not used, and neither
    ///     are the fields of `httpAdditionalHeaders` that hold credentials, such as `Authorization`: a session would send
    ///     them to other servers after a redirect, so set them on the client. With the configuration of a background
    ///     session, which transfers only files, every request is rejected.
    ///   - delegate: The delegate for authentication challenges and metrics, if the platform supports them; retained
    ///     until the last request has ended. Its answer to a challenge counts, also instead of the TLS options, unless
    ///     it is the default handling.
    ///   - qos: The quality of service of the session's work.
    ///   - maximumBufferedBytes: The largest number of bytes of a streamed body to buffer for its reader. On Linux, where
    ///     a task cannot be paused, the exchange fails above it. On Apple platforms the task is paused above 256 KiB, or
    ///     above this number if it is smaller, until the reader has left a quarter of that.
    ///   - allowsLowLevelNetworking: True if watchOS allows the app to open WebSockets: while it streams audio or is in
    ///     a call (Apple's TN3135). By default, opening one on watchOS fails at once. It has no effect on other platforms.
    public init(
        configuration: URLSessionConfiguration = .default,
        delegate: (any URLSessionDelegate)? = nil,
        qos: DispatchQoS = .userInitiated,
        maximumBufferedBytes: Int = defaultMaximumBufferedBytes,
        allowsLowLevelNetworking: Bool = false
    ) {
        pool = SessionPool(configuration, userDelegate: delegate, qos: qos, time: .system)
        capabilities = .current
        self.maximumBufferedBytes = maximumBufferedBytes
        self.allowsLowLevelNetworking = allowsLowLevelNetworking
    }

    /// Creates a transport whose sessions have other capabilities or another clock, for tests.
    package init(capabilities: SessionCapabilities, time: TimeSource = .system) {
        pool = SessionPool(.default, userDelegate: nil, qos: .userInitiated, time: time)
        self.capabilities = capabilities
        maximumBufferedBytes = Self.defaultMaximumBufferedBytes
        allowsLowLevelNetworking = false
    }

    /// The number of sessions that are kept for later requests.
    package var sessionCount: Int { pool.keptCount }

    /// Uses a session of another configuration for later requests.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - cancelling: True to cancel requests in progress; by default they finish normally.
    public func updateConfiguration(_ configuration: URLSessionConfiguration, cancelling: Bool = false) {
        let before = pool.replaceConfiguration(configuration)
        if cancelling { for owner in before { owner.delegate.cancelAll() } }
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
        try pool.check()
        let key = try SessionKey(request, capabilities: capabilities)
        var outgoing = try URLRequest(exchange: request.head, timeout: capabilities.silenceTimeout(of: request))
        if !request.options.decompresses, outgoing.value(forHTTPHeaderField: "Accept-Encoding") == nil {
            outgoing.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        }
        try await SessionRequestValidation.checkNetwork(request)
        let upload = try await SessionUpload(request.body, by: clock, capabilities: capabilities)
        let exchange = SessionExchange(
            request, upload: upload, clock: clock, bufferLimit: maximumBufferedBytes, capabilities: capabilities)
        return try await exchange.response(to: outgoing, over: pool.lease(key))
    }

    /// Returns a lease of the session for a WebSocket.
    ///
    /// - Parameter request: The upgrade request.
    /// - Returns: The lease, to be released after the last event of the task.
    /// - Throws: An error if no session can open it.
    func webSocketLease(for request: TransportRequest) async throws(TransportError) -> SessionLease {
        try await pool.lease(SessionKey(request, capabilities: capabilities))
    }
}

extension URLSessionTransport: ConnectivityWaitingTransport {
    /// True where the system can hold a request until there is a network for it.
    package var waitsForConnectivity: Bool { SessionCapabilities.current.waitsForConnectivity }
}
