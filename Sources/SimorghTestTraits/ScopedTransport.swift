// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

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
/// inherit the scope of the test.
public struct ScopedTransport: Transport {
    /// The scope that is used even if the task of a request does not have it; `nil` for none.
    private let scope: TestScope?

    /// Creates a transport that looks for the scope of each request's task.
    public init() { scope = nil }

    init(_ scope: TestScope?) { self.scope = scope }

    /// Sends a request over the transport of the current test.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response.
    /// - Throws: ``/SimorghCore/TransportError``: that of the test's transport, or one that says that no trait provides one.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard let scope = scope ?? TestScope.current else {
            throw TransportError(
                .unsupportedURL, phase: .total,
                message: """
                    no trait provides a transport for this request: add .stubbed, .cassette or .transport to the test \
                    or its suite; a detached task does not inherit it
                    """,
                requestMayHaveBeenSent: false)
        }
        return try await scope.transport.send(request)
    }
}

extension APIClient {
    /// Creates a client over the transport of the running test, isolated from this machine's network.
    ///
    /// - Parameter change: Changes the configuration.
    /// - Returns: The client, with the base URL of the test's trait. It keeps the transport of the test that creates it,
    ///   also in detached tasks.
    public static func scoped(configure change: (inout Configuration) -> Void = { _ in }) -> APIClient {
        let scope = TestScope.current
        return .scripted(
            ScopedTransport(scope), baseURL: scope?.baseURL ?? TransportTrait.defaultBaseURL, configure: change)
    }
}
