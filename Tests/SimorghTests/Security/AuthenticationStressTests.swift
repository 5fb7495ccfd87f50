// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghNIO
import SimorghTesting
import Synchronization
import TestSupport
import Testing

/// 1,000 concurrent calls with one token, against a server on loopback.
@Suite(.timeLimit(.minutes(10)))
struct AuthenticationStressTests {
    static let count = 1_000

    /// The token that the server accepts, and its counts of refreshes and responses.
    private struct Service {
        var valid = "t0"
        var answered = 0
        var refreshes = 0
        var refused = 0
    }

    /// A box for a value that is set later.
    private final class Box<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }

    private func client(_ server: MockServer, _ token: RefreshingToken) -> APIClient {
        var configuration = APIClient.Configuration()
        configuration.baseURL = server.url
        configuration.authentication = .refreshing(token)
        configuration.timeouts.total = .seconds(120)
        return APIClient(configuration: configuration, transport: NIOTransport())
    }

    @Test("1,000 calls with a token that expires meanwhile: one refresh, and 1,000 correct responses")
    func expiring() async throws {
        let service = Mutex(Service())
        let server = try await MockServer.start()
        server.on("/me/{index}") { request in
            let isValid = service.withLock { service in
                if service.answered == Self.count / 4, service.valid == "t0" { service.valid = "t1" }
                let isValid = request.header(.authorization) == "Bearer \(service.valid)"
                if isValid { service.answered += 1 } else { service.refused += 1 }
                return isValid
            }
            return isValid ? .text(request.parameters["index"] ?? "") : .status(.unauthorized)
        }
        server.on("/token") { request in
            service.withLock { service in
                service.refreshes += 1
                return request.header(.authorization) == nil
                    ? .json(#"{"token": "\#(service.valid)"}"#) : .status(.forbidden)
            }
        }
        let box = Box<APIClient>()
        let token = RefreshingToken(AccessToken("t0")) { _ in
            let client = try #require(box.value.withLock { $0 })
            return AccessToken(try await client.call(.post, "token").decode(String.self, at: "token"))
        }
        let client = client(server, token)
        box.value.withLock { $0 = client }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<Self.count {
                group.addTask {
                    let data = try await client.call(.get, "me/\(index)").data()
                    #expect(String(decoding: data, as: UTF8.self) == "\(index)")
                }
            }
            try await group.waitForAll()
        }
        service.withLock { service in
            #expect(service.refreshes == 1)
            #expect(service.answered == Self.count)
            #expect(service.refused > 0)
        }
        box.value.withLock { $0 = nil }
        await server.shutdown()
    }

    @Test("1,000 calls with an expired token and a failing refresh: one refresh, and 1,000 prompt errors")
    func failing() async throws {
        let service = Mutex(Service())
        let server = try await MockServer.start()
        server.on("/me") { _ in .status(.unauthorized) }
        server.on("/token") { _ in
            service.withLock { $0.refreshes += 1 }
            return .status(.internalServerError)
        }
        let box = Box<(APIClient, RefreshingToken)>()
        let token = RefreshingToken(AccessToken("t0")) { _ in
            let (client, token) = try #require(box.value.withLock { $0 })
            // The refresh fails only once all calls wait, because a call that starts later would rightly refresh again.
            try await eventually { token.gate.waitingCount >= Self.count }
            return AccessToken(try await client.call(.post, "token").decode(String.self, at: "token"))
        }
        let client = client(server, token)
        box.value.withLock { $0 = (client, token) }
        await withTaskGroup(of: NetworkError?.self) { group in
            for _ in 0..<Self.count {
                group.addTask { await #expect(throws: NetworkError.self) { try await client.call(.get, "me").void() } }
            }
            for await error in group {
                let cause = (error?.underlyingError as? TokenRefreshError)?.underlying as? NetworkError
                #expect(cause?.statusCode == 500)
            }
        }
        #expect(service.withLock { $0.refreshes } == 1)
        #expect(token.gate.waitingCount == 0)
        box.value.withLock { $0 = nil }
        await server.shutdown()
    }
}
