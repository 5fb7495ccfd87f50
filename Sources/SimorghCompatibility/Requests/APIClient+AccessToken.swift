// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension APIClient {
    /// Returns the current token, or `nil` to send no credentials.
    public typealias AccessTokenProvider = @Sendable () async throws -> String?

    /// Sends a request with its own bearer token, and returns the decoded response.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - accessToken: Returns the token. It is called before the request is sent, and again before the request is
    ///     repeated because ``/SimorghCompatibility/SimorghCore/APIClient/Configuration/tokenRefresher`` has refreshed
    ///     the token after a 401 response. `nil` sends the request without credentials.
    /// - Returns: The response.
    /// - Throws: ``/SimorghCore/NetworkError``.
    public func send<Request: NetworkRequest>(
        _ request: Request, accessToken: AccessTokenProvider?
    ) async throws -> Request.Response {
        try await call(request).with { $0.authenticate(with: accessToken, state: settings.state) }.value()
    }

    /// Sends a request with its own bearer token, and returns as soon as the head of an accepted response has arrived.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - accessToken: Returns the token; see ``send(_:accessToken:)``.
    /// - Returns: The response; its body is still arriving.
    /// - Throws: ``/SimorghCore/NetworkError``.
    public func stream<Request: NetworkRequest>(
        _ request: Request, accessToken: AccessTokenProvider?
    ) async throws -> StreamingResponse {
        try await call(request).with { $0.authenticate(with: accessToken, state: settings.state) }.stream()
    }
}

extension APIClient.Configuration {
    /// The key under which calls share refreshes: the object, or for a value its type.
    private struct RefresherKey: Hashable, Sendable {
        let id: ObjectIdentifier

        init(_ refresher: any TokenRefreshProvider) {
            id =
                type(of: refresher) is AnyObject.Type
                ? ObjectIdentifier(refresher as AnyObject) : ObjectIdentifier(type(of: refresher))
        }
    }

    /// Sets the token of one call, and sends it to any origin.
    fileprivate mutating func authenticate(with accessToken: APIClient.AccessTokenProvider?, state: PipelineState) {
        guard let accessToken else {
            allowsAuthentication = false
            return
        }
        if let tokenRefresher {
            let gate = state.value(for: RefresherKey(tokenRefresher)) { RefreshGate.forRefreshes() }
            authentication = .refreshing(tokenRefresher, gate: gate, token: accessToken).everywhere()
        } else {
            authentication = .bearer(accessToken).everywhere()
        }
    }
}
