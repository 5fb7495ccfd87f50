// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
public import SimorghRealtime
import SimorghTesting

/// A transport that sends each request over the transport of the test that the request belongs to.
///
/// One client over it can serve all tests of a program, also in parallel:
///
/// ```swift
/// enum Shared {
///     static let client = APIClient.scripted(ScopedTransport(), baseURL: "https://api.example.com")
/// }
/// ```
/// A request outside a test with a trait of this module fails, and so does one in a detached task, which does not
/// inherit the scope of the test. WebSockets need a transport of the test that supports them.
public struct ScopedTransport: Transport, WebSocketTransport {
    /// The scope that is used even if the task of a request does not have it; `nil` for none.
    private let scope: TestScope?

    /// Creates a transport that looks for the scope of each request's task.
    public init() { scope = nil }

    init(_ scope: TestScope?) { self.scope = scope }

    /// Sends a request over the transport of the current test.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response.
    /// - Throws: ``/SimorghCore/TransportError``: that of the test's transport, or one that says that no trait provides
    ///   one.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try await found().transport.send(request)
    }

    /// Opens a WebSocket over the transport of the current test.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - options: The options of the connection.
    /// - Returns: The connection, or the response of a server that refused.
    /// - Throws: ``/SimorghCore/TransportError``: that of the test's transport, or one that says that no trait provides
    ///   one, or that it does not support WebSockets.
    public func open(
        _ request: TransportRequest, options: WebSocketChannelOptions
    ) async throws(TransportError) -> WebSocketOpenResult {
        guard let transport = try found().base as? any WebSocketTransport else {
            throw TransportError(
                .unsupportedURL, phase: .total, message: "the transport of this test does not support WebSockets",
                requestMayHaveBeenSent: false)
        }
        return try await transport.open(request, options: options)
    }

    private func found() throws(TransportError) -> TestScope {
        guard let scope = scope ?? TestScope.current else {
            throw TransportError(
                .unsupportedURL, phase: .total,
                message: """
                    no trait provides a transport for this request: add .stubbed, .cassette or .transport to the test \
                    or its suite; a detached task does not inherit it
                    """,
                requestMayHaveBeenSent: false)
        }
        return scope
    }
}

extension ScopedTransport: TransportWrapper {
    package var wrapped: (any Transport)? { (scope ?? TestScope.current)?.base }
}

extension APIClient {
    /// Creates a client over the transport of the running test, isolated from this machine's network.
    ///
    /// - Parameter change: Changes the configuration.
    /// - Returns: The client, with the base URL of the test's trait. It keeps the transport of the test that creates
    ///   it, also in detached tasks.
    public static func scoped(configure change: (inout Configuration) -> Void = { _ in }) -> APIClient {
        let scope = TestScope.current
        return .scripted(
            ScopedTransport(scope), baseURL: scope?.baseURL ?? TransportTrait.defaultBaseURL, configure: change)
    }
}
