// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Simorgh
import Synchronization
import Testing

/// Digest with apache2, whose mod_auth_digest checks the nonce count: one that is not the next is refused as stale.
@Suite(.timeLimit(.minutes(10)))
struct DigestWitnessTests {
    /// The exchanges on the wire: each response's status, and the nonce and nonce count of its request.
    private final class Wire: Sendable {
        struct Exchange: Equatable {
            var status: Int
            var nonce: String?
            var count: String?
        }

        private let exchanges = Mutex<[Exchange]>([])

        var all: [Exchange] { exchanges.withLock { $0 } }

        var step: Interceptor {
            Interceptor { request, next in
                let field = request.head.headerFields[.authorization] ?? ""
                let response = try await next(request)
                let exchange = Exchange(
                    status: response.head.status.code,
                    nonce: field.firstMatch(of: /[ ,]nonce="([^"]+)"/).map { String($0.1) },
                    count: field.firstMatch(of: /[ ,]nc=([0-9a-f]{8})/).map { String($0.1) })
                self.exchanges.withLock { $0.append(exchange) }
                return response
            }
        }
    }

    private func client(_ wire: Wire, password: String = "feather") throws -> APIClient {
        APIClient(baseURL: try Witness.apache.url).with {
            $0.authentication = .digest(username: "zal", password: password)
            $0.networkInterceptors = [wire.step]
        }
    }

    private func text(_ call: Call<Data>) async throws -> String {
        String(decoding: try await call.value(), as: UTF8.self)
    }

    @Test("apache2 accepts one nonce with an increasing count after one challenge, for GET and POST")
    func rising() async throws {
        let wire = Wire()
        let client = try client(wire)
        let body = String(repeating: "thirty birds ", count: 20_000)
        for _ in 0..<3 {
            #expect(try await text(client.call(.get, "guarded/text")) == "feathers")
            let echo = client.call(.post, "guarded/echo", query: ["a": "b c"], body: .text(body))
            #expect(try await text(echo) == body)
        }
        let exchanges = wire.all
        #expect(exchanges.map(\.status) == [401, 200, 200, 200, 200, 200, 200])
        #expect(exchanges.map(\.count) == [nil] + (1...6).map { "0000000\($0)" })
        #expect(Set(exchanges.dropFirst().map(\.nonce)).count == 1)
    }

    @Test("apache2 receives the whole body of a challenged POST")
    func challengedPost() async throws {
        let wire = Wire()
        let body = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let echo = try await client(wire).call(.post, "guarded/echo", body: .bytes(body)).value()
        #expect(echo == body)
        #expect(wire.all.map(\.status) == [401, 200])
    }

    @Test("apache2 sends a nextnonce with each response, and receives it")
    func nextNonce() async throws {
        let wire = Wire()
        let client = try client(wire)
        for _ in 0..<3 { #expect(try await text(client.call(.get, "guarded/once/text")) == "feathers") }
        #expect(wire.all.map(\.status) == [401, 200, 200, 200])
        #expect(wire.all.map(\.count) == [nil, "00000001", "00000001", "00000001"])
        #expect(Set(wire.all.dropFirst().map(\.nonce)).count == 3)
    }

    @Test("apache2 refuses a wrong password after one retry", arguments: ["wrong", "", "Feather"])
    func wrongPassword(password: String) async throws {
        let wire = Wire()
        let client = try client(wire, password: password)
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "guarded/text").void() }
        #expect(error?.statusCode == 401)
        #expect(wire.all.map(\.status) == [401, 401])
    }

    @Test("httpbin accepts Digest with a body, with auth and auth-int", arguments: ["auth", "auth-int"])
    func httpbin(quality: String) async throws {
        let wire = Wire()
        let client = APIClient(baseURL: try Witness.httpbin.url).with {
            $0.authentication = .digest(username: "zal", password: "feather")
            $0.networkInterceptors = [wire.step]
        }
        // httpbin supports Digest only with GET.
        let call = client.call(.get, "digest-auth/\(quality)/zal/feather", body: .text("thirty birds"))
        #expect(try await call.json()["authenticated"] == true)
        #expect(wire.all.map(\.status) == [401, 200])
    }
}
