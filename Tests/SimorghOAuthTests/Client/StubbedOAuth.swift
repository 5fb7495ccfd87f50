// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghOAuth
import SimorghTesting

/// A server, a clock and a client for tests.
struct StubbedOAuth: Sendable {
    static let server = {
        var server = OAuthServer(
            issuer: "https://auth.example.com", tokenEndpoint: "https://auth.example.com/token",
            authorizationEndpoint: "https://auth.example.com/authorize?tenant=7",
            deviceAuthorizationEndpoint: "https://auth.example.com/device",
            revocationEndpoint: "https://auth.example.com/revoke")
        server.namesIssuer = true
        return server
    }()

    let transport: StubServer
    let clock: TestClock

    init(movesItself: Bool = false, _ answer: @escaping StubServer.Handler) {
        transport = StubServer(answer)
        clock = TestClock(movesItself: movesItself)
    }

    /// A client of the API, over the same transport.
    ///
    /// It has no base URL, so that it sends its credentials to each API.
    var api: APIClient { APIClient.scripted(transport, baseURL: nil) { $0.time = clock.timeSource } }

    func client(
        _ authentication: OAuthClientAuthentication = .none, proof: DPoPKey? = nil, id: String = "tour"
    ) throws -> OAuthClient {
        try OAuthClient(id: id, server: Self.server, authentication: authentication, proof: proof, over: api)
    }

    /// The fields of a form that was sent.
    static func fields(_ request: RecordedRequest) -> [String: String] {
        Dictionary(
            request.text.split(separator: "&").map { part in
                let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                    $0.replacing("+", with: " ").removingPercentEncoding ?? ""
                }
                return (halves[0], halves.count > 1 ? halves[1] : "")
            }
        ) { first, _ in first }
    }

    /// A response with tokens.
    static func token(
        _ value: String, refresh: String? = nil, lifetime: Int? = 3600, type: String = "Bearer"
    ) -> StubResponse {
        var members = ["\"access_token\": \"\(value)\"", "\"token_type\": \"\(type)\""]
        if let refresh { members.append("\"refresh_token\": \"\(refresh)\"") }
        if let lifetime { members.append("\"expires_in\": \(lifetime)") }
        return .json("{\(members.joined(separator: ", "))}")
    }

    static func error(_ code: String, _ description: String? = nil) -> StubResponse {
        .json(
            "{\"error\": \"\(code)\"\(description.map { ", \"error_description\": \"\($0)\"" } ?? "")}",
            status: .badRequest)
    }
}
