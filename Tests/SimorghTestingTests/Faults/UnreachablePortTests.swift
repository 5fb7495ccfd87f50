// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghNIO
import SimorghTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct UnreachablePortTests {
    /// What comes of an attempt to connect that may take a while.
    private static func failure(_ url: String, within limit: Duration) async -> TransportError? {
        await wireFailure { try await NIOTransport().ask(.get, url) { $0.timeouts.connect = limit } }
    }

    @Test("A port refuses, and another one lets a connection hang until its time is up")
    func behaviours() async throws {
        let refused = try await UnreachablePort.with { await Self.failure($0.url, within: .seconds(3600)) }
        #expect(refused?.code == .cannotConnectToHost)
        #expect(refused?.phase == .connect)
        let limit = Duration.milliseconds(200)
        let late = try await UnreachablePort.with(.hangs) { await Self.failure($0.url, within: limit) }
        #expect(late?.code == .timedOut)
        #expect(late?.phase == .connect)
        #expect(late?.limit == limit)
    }

    @Test("While it is held nobody else gets it", arguments: UnreachablePort.Behavior.allCases)
    func held(behavior: UnreachablePort.Behavior) async throws {
        try await UnreachablePort.with(behavior) { nobody in
            #expect(nobody.url == "http://127.0.0.1:\(nobody.port)")
            try await UnreachablePort.with(behavior) { other in #expect(other.port != nobody.port) }
            var configuration = MockServer.Configuration()
            configuration.port = nobody.port
            await #expect(throws: (any Error).self) { try await MockServer.start(configuration).shutdown() }
        }
    }

    @Test("When the function ends it is given back, and what the function threw is thrown", arguments: [true, false])
    func givenBack(isThrowing: Bool) async throws {
        struct Mine: Error { let url: String }
        var url: String?
        do {
            url = try await UnreachablePort.with(.hangs) { nobody in
                if isThrowing { throw Mine(url: nobody.url) }
                return nobody.url
            }
            #expect(!isThrowing)
        } catch let error as Mine {
            url = error.url
        }
        // Refused, unless somebody else has it by now, who does answer.
        let error = await Self.failure(try #require(url), within: .seconds(60))
        #expect(error?.code != .timedOut)
    }
}
