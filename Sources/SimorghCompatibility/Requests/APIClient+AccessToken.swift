// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension APIClient {
    /// Gives the token of now; `nil` where there is none.
    public typealias AccessTokenProvider = @Sendable () async throws -> String?

    /// Makes a request with a bearer's token of its own, and waits for its response.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - accessToken: Gives the token: asked for before the request is sent and, where
    ///     ``/SimorghCompatibility/SimorghCore/APIClient/Configuration/tokenRefresher`` has renewed it after a 401, again before it is sent once more. `nil` sends the
    ///     request without credentials.
    /// - Returns: The response.
    /// - Throws: ``/SimorghCore/NetworkError``.
    public func send<Request: NetworkRequest>(
        _ request: Request, accessToken: AccessTokenProvider?
    ) async throws -> Request.Response {
        try await call(request).with { $0.authenticate(with: accessToken, settings.state) }.value()
    }

    /// Makes a request with a bearer's token of its own, and returns as soon as the head of an accepted response has
    /// arrived.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - accessToken: Gives the token; see ``send(_:accessToken:)``.
    /// - Returns: The response, its body still arriving.
    /// - Throws: ``/SimorghCore/NetworkError``.
    public func stream<Request: NetworkRequest>(
        _ request: Request, accessToken: AccessTokenProvider?
    ) async throws -> StreamingResponse {
        try await call(request).with { $0.authenticate(with: accessToken, settings.state) }.stream()
    }
}

extension APIClient.Configuration {
    /// Whose refreshes calls wait for: those of one object, or of one type of values.
    private struct RefresherKey: Hashable, Sendable {
        let id: ObjectIdentifier

        init(_ refresher: any TokenRefreshProvider) {
            id =
                type(of: refresher) is AnyObject.Type
                ? ObjectIdentifier(refresher as AnyObject) : ObjectIdentifier(type(of: refresher))
        }
    }

    /// Takes a token for one call, wherever that goes.
    fileprivate mutating func authenticate(with accessToken: APIClient.AccessTokenProvider?, _ state: ChainState) {
        guard let accessToken else {
            allowsAuthentication = false
            return
        }
        if let tokenRefresher {
            let gate = state.value(for: RefresherKey(tokenRefresher)) { RefreshGate.forRefreshes() }
            authentication = .refreshing(tokenRefresher, gate: gate, accessToken).everywhere()
        } else {
            authentication = .bearer(accessToken).everywhere()
        }
    }
}
