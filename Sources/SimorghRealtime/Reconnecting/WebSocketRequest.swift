// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
package import SimorghCore
import SimorghSupport

/// The request for a connection, before the client's settings are added.
package struct WebSocketRequest: Sendable {
    /// The base URL; if empty, the client's.
    package var base = ""
    package var version: String?
    package var path = ""
    package var pathIsPercentEncoded = false
    package var query: [QueryItem] = []
    package var headers: [String: String] = [:]
    /// The subprotocols to offer, in order of preference.
    package var protocols: [String] = []

    package init() {}

    /// Creates a request from the current values of a router.
    package init(_ router: some WebSocketRouter) throws(WebSocketRouterError) {
        base = router.baseURLString
        version = router.version?.path
        path = router.path
        pathIsPercentEncoded = router.pathIsPercentEncoded
        headers = router.headers ?? [:]
        protocols = router.protocols
        do {
            if let parameters = router.queryParams { query = try QueryEncoder().encode(parameters) }
        } catch {
            throw .invalidURL(error)
        }
    }

    /// Returns the URL, with the scheme `ws` or `wss`.
    ///
    /// - Parameter settings: The client's settings.
    /// - Returns: The URL.
    /// - Throws: ``WebSocketRouterError``.
    package func url(_ settings: APIClient.Settings) throws(WebSocketRouterError) -> String {
        try head(settings, clientBase: settings.currentBase.url).urlString
    }

    /// Returns the head of the request, with the scheme `ws` or `wss`.
    package func head(
        _ settings: APIClient.Settings, clientBase: Result<BaseURL, InvalidRequestError>?
    ) throws(WebSocketRouterError) -> HTTPRequest {
        let items = settings.configuration.query.items + query
        do throws(InvalidRequestError) {
            let (base, target) = try target(clientBase: clientBase, query: items)
            guard let scheme = Self.schemes[base.scheme] ?? Self.own(base.scheme) else {
                throw .url("the URL scheme \(base.scheme) cannot be used for a WebSocket")
            }
            var head = HTTPRequest(method: .get, scheme: scheme, authority: base.authority, path: target)
            if !headers.isEmpty { head.headerFields = try HeaderRules.fields(headers) }
            for name in protocols where name.isEmpty || !name.utf8.allSatisfy(HeaderRules.isTokenByte) {
                throw InvalidRequestError(
                    .invalidHeader, message: "the subprotocol \(String(reflecting: name)) is not a valid token")
            }
            guard Set(protocols).count == protocols.count else {
                throw InvalidRequestError(.invalidHeader, message: "a subprotocol is offered twice")
            }
            return head
        } catch {
            if let scheme = wrongScheme { throw .invalidScheme(scheme) }
            throw .invalidURL(error)
        }
    }

    private func target(
        clientBase: Result<BaseURL, InvalidRequestError>?, query items: [QueryItem]
    ) throws(InvalidRequestError) -> (BaseURL, target: String) {
        let parsed: BaseURL
        if !base.isEmpty {
            parsed = try BaseURL(base, schemes: BaseURL.webSocketSchemes)
        } else if let clientBase {
            parsed = try clientBase.get()
        } else {
            return try BaseURL.absolute(path, schemes: BaseURL.webSocketSchemes, query: items)
        }
        let target = try parsed.target(
            version: version, path: path, pathIsPercentEncoded: pathIsPercentEncoded, query: items)
        return (parsed, target)
    }

    /// The scheme of the request's own absolute URL if it is not a WebSocket scheme; otherwise `nil`.
    private var wrongScheme: String? {
        let url = URLReference(base.isEmpty ? path : base)
        guard url.authority != nil, let scheme = url.scheme?.lowercased() else { return nil }
        return Self.own(scheme) == nil ? scheme : nil
    }

    private static let schemes = ["http": "ws", "https": "wss", "http+unix": "ws+unix", "https+unix": "wss+unix"]

    private static func own(_ scheme: String) -> String? { schemes.values.contains(scheme) ? scheme : nil }

    /// Returns the HTTP scheme for a WebSocket scheme; origins, cookies and credentials use the HTTP scheme.
    package static func httpScheme(for scheme: String?) -> String? {
        schemes.first { $0.value == scheme }?.key ?? scheme
    }

    /// Returns the WebSocket scheme for an HTTP scheme.
    package static func webSocketScheme(for scheme: String?) -> String? {
        scheme.map { schemes[$0] ?? $0 }
    }
}
