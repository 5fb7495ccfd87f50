// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghNIO
import SimorghTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct UnreachablePortTests {
    /// Returns the error of a connection attempt that may take a while.
    private static func failure(_ url: String, within limit: Duration) async -> TransportError? {
        await wireFailure { try await NIOTransport().ask(.get, url) { $0.timeouts.connect = limit } }
    }

    @Test("A port refuses connections, or lets them hang until the timeout")
    func behaviors() async throws {
        let refused = try await UnreachablePort.with { await Self.failure($0.url, within: .seconds(3600)) }
        #expect(refused?.code == .cannotConnectToHost)
        #expect(refused?.phase == .connect)
        let limit = Duration.milliseconds(200)
        let late = try await UnreachablePort.with(.hangs) { await Self.failure($0.url, within: limit) }
        #expect(late?.code == .timedOut)
        #expect(late?.phase == .connect)
        #expect(late?.limit == limit)
    }

    @Test("The port is reserved while the function runs", arguments: UnreachablePort.Behavior.allCases)
    func held(behavior: UnreachablePort.Behavior) async throws {
        try await UnreachablePort.with(behavior) { reserved in
            #expect(reserved.url == "http://127.0.0.1:\(reserved.port)")
            try await UnreachablePort.with(behavior) { other in #expect(other.port != reserved.port) }
            var configuration = MockServer.Configuration()
            configuration.port = reserved.port
            await #expect(throws: (any Error).self) { try await MockServer.start(configuration).shutdown() }
        }
    }

    @Test(
        "The port is released when the function ends, and the function's error is rethrown", arguments: [true, false])
    func givenBack(isThrowing: Bool) async throws {
        struct Mine: Error { let url: String }
        var url: String?
        do {
            url = try await UnreachablePort.with(.hangs) { reserved in
                if isThrowing { throw Mine(url: reserved.url) }
                return reserved.url
            }
            #expect(!isThrowing)
        } catch let error as Mine {
            url = error.url
        }
        // The connection is refused, unless another process uses the port by now and answers.
        let error = await Self.failure(try #require(url), within: .seconds(60))
        #expect(error?.code != .timedOut)
    }
}
