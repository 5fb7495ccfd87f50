// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghOAuth
import SimorghTesting
import Synchronization
import TestSupport
import Testing

@Suite("Tokens that an OAuthClient refreshes", .timeLimit(.minutes(5)))
struct TokenRenewalTests {
    private let folder = NSTemporaryDirectory() + "simorgh-renewal-\(UUID().uuidString)"
    private var path: String { folder + "/token.json" }

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    @Test("A grant is requested before the first call, and its refresh token is used afterwards")
    func grant() async throws {
        let server = RotatingServer()
        let oauth = StubbedOAuth(server.answer)
        let token = try oauth.client().refreshingToken(.clientCredentials())
        let api = oauth.api.with { $0.authentication = .refreshing(token) }
        async let one: Void = api.call(.get, "https://api.example.com/a").void()
        async let two: Void = api.call(.get, "https://api.example.com/b").void()
        _ = try await (one, two)
        #expect(server.uses == ["grant"])
        oauth.clock.advance(by: .seconds(3590))
        try await api.call(.get, "https://api.example.com/c").void()
        #expect(server.uses == ["grant", "r1"])
    }

    @Test("If the server rejects the refresh token of a grant, the grant is requested again")
    func grantAgain() async throws {
        let server = RotatingServer()
        let oauth = StubbedOAuth(server.answer)
        let token = try oauth.client().refreshingToken(.clientCredentials())
        let api = oauth.api.with { $0.authentication = .refreshing(token) }
        try await api.call(.get, "https://api.example.com/a").void()
        server.state.withLock { $0.number = 7 }
        try await api.call(.get, "https://api.example.com/b").void()
        #expect(server.uses == ["grant", "r1", "grant"])
    }

    @Test("A rotated refresh token is in the file before the new access token is sent")
    func savedFirst() async throws {
        let server = RotatingServer()
        let store = FileTokenStore(path: path)
        let oauth = StubbedOAuth { request in
            let answer = try await server.answer(request)
            if request.header(.authorization) == "Bearer a1" {
                let saved = try await store.load()
                #expect(saved?.refreshToken == "r1")
            }
            return answer
        }
        try await store.save(AccessToken("a", refreshToken: "r0"))
        let token = try oauth.client().refreshingToken(store: store)
        let api = oauth.api.with { $0.authentication = .refreshing(token) }
        try await api.call(.get, "https://api.example.com/a").void()
        #expect(server.uses == ["r0"])
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("Two clients with a store of their own for one file refresh once, as two processes do")
    func shared() async throws {
        let (entered, gate) = (Gate(), Gate())
        let server = RotatingServer(gate: gate)
        let oauth = StubbedOAuth { request in
            if request.path == "/token" { entered.open() }
            return try await server.answer(request)
        }
        try await FileTokenStore(path: path).save(AccessToken("a", refreshToken: "r0"))
        let path = path
        func api() throws -> APIClient {
            let token = try oauth.client().refreshingToken(store: FileTokenStore(path: path))
            return oauth.api.with { $0.authentication = .refreshing(token) }
        }
        let (one, two) = (try api(), try api())
        async let first: Void = one.call(.get, "https://api.example.com/a").void()
        async let second: Void = two.call(.get, "https://api.example.com/b").void()
        try await entered.wait()
        gate.open()
        _ = try await (first, second)
        #expect(server.uses == ["r0"])
        // The next refresh uses what the other client saved.
        server.state.withLock { $0.number = 1 }
        oauth.clock.advance(by: .seconds(3590))
        try await two.call(.get, "https://api.example.com/c").void()
        try await one.call(.get, "https://api.example.com/d").void()
        #expect(server.uses == ["r0", "r1"])
        #expect(try await FileTokenStore(path: path).load()?.refreshToken == "r2")
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("A refresh token that was used up asks for a sign-in, and is not sent again")
    func usedUp() async throws {
        let server = RotatingServer(number: 3)
        let oauth = StubbedOAuth(server.answer)
        let store = FileTokenStore(path: path)
        try await store.save(AccessToken("a", refreshToken: "r0"))
        let token = try oauth.client().refreshingToken(store: store)
        let api = oauth.api.with { $0.authentication = .refreshing(token) }
        for _ in 0..<2 {
            let error = try await #require(throws: NetworkError.self) {
                try await api.call(.get, "https://api.example.com/a").void()
            }
            let cause = try #require((error.underlyingError as? TokenRefreshError)?.underlying as? OAuthError)
            #expect(cause.reason == .signInRequired && cause.description.contains("sign in again"))
            #expect(!"\(error)".contains("r0"))
        }
        #expect(server.uses == ["r0"])
        // A sign-in of another process ends it.
        try await store.save(AccessToken("a3", refreshToken: "r3"))
        try await api.call(.get, "https://api.example.com/a").void()
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("After a sign-out by another process the old refresh token is not used")
    func signedOut() async throws {
        let server = RotatingServer()
        let oauth = StubbedOAuth(server.answer)
        let store = FileTokenStore(path: path)
        try await store.save(AccessToken("a", refreshToken: "r0"))
        let token = try oauth.client().refreshingToken(store: store)
        _ = try await token.current()
        try await FileTokenStore(path: path).clear()
        let api = oauth.api.with { $0.authentication = .refreshing(token) }
        let error = try await #require(throws: NetworkError.self) {
            try await api.call(.get, "https://api.example.com/a").void()
        }
        let cause = (error.underlyingError as? TokenRefreshError)?.underlying as? OAuthError
        #expect(cause?.reason == .signInRequired && server.uses.isEmpty)
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("A store that cannot save is reported, and the token is used")
    func unsaved() async throws {
        let server = RotatingServer()
        let oauth = StubbedOAuth(server.answer)
        let failures = Counter()
        try await FileTokenStore(path: path).save(AccessToken("a", refreshToken: "r0"))
        let token = try oauth.client().refreshingToken(store: ReadOnlyStore(path: path)) { _ in _ = failures.next() }
        let api = oauth.api.with { $0.authentication = .refreshing(token) }
        try await api.call(.get, "https://api.example.com/a").void()
        #expect(failures.count == 1 && server.uses == ["r0"])
        // The refresh token in the store is used up: the unsaved one is used.
        oauth.clock.advance(by: .seconds(3590))
        try await api.call(.get, "https://api.example.com/b").void()
        #expect(server.uses == ["r0", "r1"] && failures.count == 2)
        // A sign-in of another process replaces it.
        server.state.withLock { $0.number = 5 }
        try await FileTokenStore(path: path).save(AccessToken("a5", refreshToken: "r5"))
        try await api.call(.get, "https://api.example.com/c").void()
        #expect(server.uses == ["r0", "r1"])
        try FileManager.default.removeItem(atPath: folder)
    }
}
