// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghOAuth
import SimorghTesting
import TestSupport
import Testing

@Suite("Tokens of several sign-ins, servers and processes", .timeLimit(.minutes(5)))
struct TokenOwnershipTests {
    private let folder = NSTemporaryDirectory() + "simorgh-ownership-\(UUID().uuidString)"
    private var path: String { folder + "/token.json" }

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    private func failure(_ api: APIClient) async throws -> OAuthError {
        let error = try await #require(throws: NetworkError.self) {
            try await api.call(.get, "https://api.example.com/a").void()
        }
        return try #require((error.underlyingError as? TokenRefreshError)?.underlying as? OAuthError, "\(error)")
    }

    @Test("The token of a new sign-in replaces that of the store before it is used")
    func replaces() async throws {
        let server = RotatingServer()
        let store = FileTokenStore(path: path)
        let oauth = StubbedOAuth { request in
            if request.path != "/token" {
                let saved = try await store.load()
                #expect(request.header(.authorization) == saved.map { "Bearer \($0.value)" })
            }
            return try await server.answer(request)
        }
        try await store.save(AccessToken("other", refreshToken: "ro"))
        let end = oauth.clock.date.addingTimeInterval(60)
        let token = try oauth.client().refreshingToken(
            from: AccessToken("a0", expiration: end, refreshToken: "r0"), store: store)
        let api = oauth.api.with { $0.authentication = .refreshing(token) }
        try await api.call(.get, "https://api.example.com/a").void()
        #expect(server.uses.isEmpty)
        oauth.clock.advance(by: .seconds(61))
        try await api.call(.get, "https://api.example.com/a").void()
        #expect(server.uses == ["r0"])
        #expect(try await store.load()?.refreshToken == "r1")
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("The token of a new sign-in is used although it cannot be saved, and the old account's is not")
    func unsavedSignIn() async throws {
        let server = RotatingServer()
        let oauth = StubbedOAuth(server.answer)
        let failures = Counter()
        try await FileTokenStore(path: path).save(AccessToken("other", refreshToken: "ro"))
        let token = try oauth.client().refreshingToken(
            from: AccessToken("a0", expiration: oauth.clock.date.addingTimeInterval(60), refreshToken: "r0"),
            store: ReadOnlyStore(path: path)
        ) { _ in _ = failures.next() }
        let api = oauth.api.with { $0.authentication = .refreshing(token) }
        try await api.call(.get, "https://api.example.com/a").void()
        #expect(failures.count == 1 && server.uses.isEmpty)
        oauth.clock.advance(by: .seconds(61))
        try await api.call(.get, "https://api.example.com/b").void()
        #expect(server.uses == ["r0"] && failures.count == 2)
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("A running process neither uses the token of another server that replaced its own, nor sends it anywhere")
    func otherServer() async throws {
        let oauth = StubbedOAuth { _ in .status(.unauthorized) }
        try await FileTokenStore(path: path).save(AccessToken("a", refreshToken: "r0"))
        let token = try oauth.client().refreshingToken(store: FileTokenStore(path: path))
        _ = try await token.current()
        let server = OAuthServer(tokenEndpoint: "https://new.example/token")
        let other = try OAuthClient(id: "tour", server: server, over: oauth.api)
            .refreshingToken(from: AccessToken("b", refreshToken: "rb"), store: FileTokenStore(path: path))
        #expect(try await other.current()?.value == "b")
        let error = try await failure(oauth.api.with { $0.authentication = .refreshing(token) })
        #expect(error.reason == .signInRequired && error.description.contains("another server"))
        let requests = oauth.transport.requests
        #expect(requests.count == 1 && requests.first?.header(.authorization) == "Bearer a")
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("The first request of a token fails with the documented error, and is repeated after a pause only")
    func firstFailure() async throws {
        let isDown = LockedValue(true)
        let oauth = StubbedOAuth { request in
            guard request.path == "/token" else { return .status(.ok) }
            return isDown.value ? StubbedOAuth.error("invalid_client") : StubbedOAuth.token("t1")
        }
        let token = try oauth.client().refreshingToken(.clientCredentials())
        let api = oauth.api.with { $0.authentication = .refreshing(token) }
        for _ in 0..<3 { #expect(try await failure(api).code == "invalid_client") }
        #expect(oauth.transport.requestCount == 1)
        oauth.clock.advance(by: .seconds(1))
        #expect(try await failure(api).code == "invalid_client")
        #expect(oauth.transport.requestCount == 2)
        isDown.change { $0 = false }
        oauth.clock.advance(by: .seconds(2))
        try await api.call(.get, "https://api.example.com/a").void()
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("A token of another kind, from a token exchange, is never sent in Authorization")
    func otherKind() async throws {
        let oauth = StubbedOAuth { request in
            request.path == "/token" ? StubbedOAuth.token("id", type: "N_A") : .status(.ok)
        }
        let grant = OAuthGrant.tokenExchange(subject: "s", requestedType: .idToken)
        #expect(try await oauth.client().token(for: grant).isAccessToken == false)
        let token = try oauth.client().refreshingToken(grant)
        let error = try await failure(oauth.api.with { $0.authentication = .refreshing(token) })
        #expect(error.reason == .invalidResponse)
        #expect(oauth.transport.requests.allSatisfy { $0.header(.authorization) == nil })
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("Processes share one refresh, even if the new token lives shorter than the leeway")
    func shortLived() async throws {
        let server = RotatingServer(lifetime: 20)
        let oauth = StubbedOAuth(server.answer)
        let end = oauth.clock.date.addingTimeInterval(10)
        try await FileTokenStore(path: path).save(AccessToken("a", expiration: end, refreshToken: "r0"))
        let tokens = try (0..<3).map { _ in try oauth.client().refreshingToken(store: FileTokenStore(path: path)) }
        for token in tokens { _ = try await token.current() }
        oauth.clock.advance(by: .seconds(11))
        for token in tokens {
            let api = oauth.api.with { $0.authentication = .refreshing(token) }
            try await api.call(.get, "https://api.example.com/a").void()
        }
        #expect(server.uses == ["r0"])
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("A key service that hangs holds the store for at most 45 seconds")
    func hangs() async throws {
        let oauth = StubbedOAuth { _ in .status(.ok) }
        let (entered, never) = (Gate(), Gate())
        let token = try oauth.client().refreshingToken(
            grant: {
                entered.open()
                // A task of its own ignores the cancellation.
                _ = await Task { try? await never.wait() }.value
                return .clientCredentials()
            }, store: FileTokenStore(path: path))
        let api = oauth.api.with { $0.authentication = .refreshing(token) }
        let call = Task { try await failure(api) }
        try await entered.wait()
        try await oauth.clock.sleeping(for: .seconds(45))
        oauth.clock.advance(by: .seconds(45))
        #expect(try await call.value.reason == .unreachable)
        // Waits for the lock, and has it.
        try await FileTokenStore(path: path).withExclusiveAccess {}
        never.open()
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("A call during a sign-out does not bring the token back")
    func signOut() async throws {
        let server = RotatingServer(number: 1)
        let oauth = StubbedOAuth(server.answer)
        let (store, gate) = (FileTokenStore(path: path), Gate())
        try await store.save(AccessToken("a1", refreshToken: "r1"))
        let token = try oauth.client().refreshingToken(store: SlowClearingStore(store: store, gate: gate))
        _ = try await token.current()
        let clearing = Task { try await token.clear() }
        try await gate.waiting()
        let error = try await failure(oauth.api.with { $0.authentication = .refreshing(token) })
        #expect(error.reason == .signInRequired && server.uses.isEmpty)
        gate.open()
        try await clearing.value
        #expect(try await store.load() == nil)
        try FileManager.default.removeItem(atPath: folder)
    }
}
