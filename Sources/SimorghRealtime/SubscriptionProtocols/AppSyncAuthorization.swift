// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// The authorization of connections, subscriptions and publications for AWS AppSync.
public struct AppSyncAuthorization: Sendable {
    /// A request to authorize.
    public struct Request: Sendable, Hashable {
        /// The host of the API, as the signed request names it.
        public let host: String
        /// The path of the signed request: `/graphql`, `/graphql/connect` or `/event`.
        public let path: String
        /// The body of the signed request: JSON, exactly as it is sent.
        public let body: String
    }

    /// Returns the fields to send in addition to `host`.
    package let fields: @Sendable (Request) async throws -> [String: String]

    /// Returns an authorization that calls a function for the authorization fields.
    ///
    /// The fields are `Authorization`, `x-amz-date` and so on for AWS Signature Version 4.
    ///
    /// - Parameter sign: Returns the fields; called before each connection and each operation.
    /// - Returns: The authorization.
    public static func signed(
        _ sign: @escaping @Sendable (Request) async throws -> [String: String]
    ) -> AppSyncAuthorization {
        AppSyncAuthorization(fields: sign)
    }

    /// Returns an authorization by API key.
    ///
    /// - Parameter key: The key.
    /// - Returns: The authorization.
    public static func apiKey(_ key: String) -> AppSyncAuthorization {
        AppSyncAuthorization { _ in ["x-api-key": key] }
    }

    /// Returns an authorization by a token of Amazon Cognito, OpenID Connect or a custom Lambda.
    ///
    /// - Parameter token: Returns the token; called before each connection and each operation.
    /// - Returns: The authorization.
    public static func token(_ token: @escaping @Sendable () async throws -> String) -> AppSyncAuthorization {
        AppSyncAuthorization { _ in ["Authorization": try await token()] }
    }

    /// Returns the fields as JSON, including the host.
    func json(host: String, path: String, body: String) async throws -> JSON {
        var members = try await fields(Request(host: host, path: path, body: body)).mapValues(JSON.string)
        members["host"] = .string(host)
        return .object(members)
    }
}

/// The addresses of an AppSync API.
struct AppSyncEndpoint: Sendable, Hashable {
    /// The URL to connect to.
    let url: String
    /// The host for signatures.
    let host: String

    /// Creates the addresses from the endpoint shown in the settings of the API.
    ///
    /// - Parameters:
    ///   - endpoint: `https://….appsync-api.REGION.amazonaws.com/…`, a custom domain, or the URL to connect to.
    ///   - customPath: The path for connections below the endpoint of a custom domain.
    init(_ endpoint: String, customPath: String) {
        let reference = URLReference(endpoint)
        let authority = reference.authority.map(String.init) ?? ""
        let isRealtime = reference.scheme == "ws" || reference.scheme == "wss"
        let scheme = isRealtime ? reference.scheme ?? "wss" : reference.scheme == "http" ? "ws" : "wss"
        let isOfAWS = authority.contains(".appsync-api.")
        let realtime = isOfAWS ? authority.replacing(".appsync-api.", with: ".appsync-realtime-api.") : authority
        host = authority.replacing(".appsync-realtime-api.", with: ".appsync-api.")
        url = "\(scheme)://\(realtime)\(reference.path)\(isRealtime || isOfAWS ? "" : customPath)"
    }
}

/// Messages and decisions shared by both AppSync protocols, and Base64 as AppSync expects it.
enum AppSyncText {
    static let introduction = SubscriptionAction.send(.text(#"{"type":"connection_init"}"#))

    /// Returns the decision after a close: gives up if the server rejected the request or the credentials.
    static func decision(on closure: WebSocketCloseInfo) -> ReconnectDecision? {
        [4400, 4401, 4403].contains(closure.code.rawValue) ? .giveUp : nil
    }

    /// Returns the action after the server rejected the connection: reconnects only after a transient error.
    static func refusal(_ message: WebSocketMessage) -> SubscriptionAction {
        let errors = AppSyncErrors(message)
        return errors.isTransient ? .reconnect(errors) : .giveUp(errors)
    }

    /// Returns the action after the server rejected a subscription: retries only after a transient error.
    static func failure(of id: SubscriptionID, _ message: WebSocketMessage) -> SubscriptionAction {
        let errors = AppSyncErrors(message)
        return errors.isTransient ? .postponed(id, errors) : .failed(id, errors)
    }

    static func plain(_ json: JSON) throws -> String { try json.data().base64EncodedString() }

    /// Returns Base64url without padding, for a subprotocol, which must be a token.
    static func token(_ json: JSON) throws -> String {
        String(
            try plain(json).compactMap { character in
                switch character {
                case "+": "-"
                case "/": "_"
                case "=": nil
                default: character
                }
            })
    }
}
