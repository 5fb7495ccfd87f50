// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// How AWS AppSync is told who connects, subscribes and publishes.
public struct AppSyncAuthorization: Sendable {
    /// What is to be authorized.
    public struct Request: Sendable, Hashable {
        /// The host of the API, as the signed request names it.
        public let host: String
        /// The path of the signed request: `/graphql`, `/graphql/connect` or `/event`.
        public let path: String
        /// The body of the signed request: JSON, exactly as it is sent.
        public let body: String
    }

    /// Gives the fields that go beside `host`.
    package let fields: @Sendable (Request) async throws -> [String: String]

    /// Asks a function for the fields that prove who sends a request: `Authorization`, `x-amz-date` and the like for a
    /// signature of version 4.
    ///
    /// - Parameter sign: Gives the fields; asked before each connection and each operation.
    /// - Returns: The authorization.
    public static func signed(
        _ sign: @escaping @Sendable (Request) async throws -> [String: String]
    ) -> AppSyncAuthorization {
        AppSyncAuthorization(fields: sign)
    }

    /// Shows an API key.
    ///
    /// - Parameter key: The key.
    /// - Returns: The authorization.
    public static func apiKey(_ key: String) -> AppSyncAuthorization {
        AppSyncAuthorization { _ in ["x-api-key": key] }
    }

    /// Shows a token of Cognito, OpenID Connect or a Lambda of your own.
    ///
    /// - Parameter token: Gives the token; asked before each connection and each operation.
    /// - Returns: The authorization.
    public static func token(_ token: @escaping @Sendable () async throws -> String) -> AppSyncAuthorization {
        AppSyncAuthorization { _ in ["Authorization": try await token()] }
    }

    /// The fields as JSON, with the host.
    func json(host: String, path: String, body: String) async throws -> JSON {
        var members = try await fields(Request(host: host, path: path, body: body)).mapValues(JSON.string)
        members["host"] = .string(host)
        return .object(members)
    }
}

/// The two addresses of an AppSync API.
struct AppSyncEndpoint: Sendable, Hashable {
    /// Where to connect.
    let url: String
    /// The host that is signed.
    let host: String

    /// The addresses of an API, from the one that is in its settings.
    ///
    /// - Parameters:
    ///   - endpoint: `https://….appsync-api.REGION.amazonaws.com/…`, a domain of your own, or where to connect.
    ///   - customPath: Where a domain of your own takes connections, below the endpoint.
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

/// What both of AppSync's protocols say and hear alike, and Base64 as AppSync wants it.
enum AppSyncText {
    static let introduction = SubscriptionAction.send(.text(#"{"type":"connection_init"}"#))

    /// Gives up where the request or the credentials are refused.
    static func verdict(on closure: WebSocketClosure) -> SubscriptionVerdict? {
        [4400, 4401, 4403].contains(closure.code.rawValue) ? .giveUp : nil
    }

    /// What a refusal of the connection comes to: some pass, most do not.
    static func refusal(_ message: WebSocketMessage) -> SubscriptionAction {
        let errors = AppSyncErrors(message)
        return errors.mayPass ? .reconnect(errors) : .giveUp(errors)
    }

    /// What a refusal of one subscription comes to.
    static func failure(of id: SubscriptionID, _ message: WebSocketMessage) -> SubscriptionAction {
        let errors = AppSyncErrors(message)
        return errors.mayPass ? .postponed(id, errors) : .failed(id, errors)
    }

    static func plain(_ json: JSON) throws -> String { try json.data().base64EncodedString() }

    /// For a subprotocol, which is a token: without padding, and with other signs for two.
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
