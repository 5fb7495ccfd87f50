// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSigning
import SimorghSupport
import SimorghTesting
import TestSupport
import Testing

@Suite("AWSCredentialsSource: refresh", .timeLimit(.minutes(1)))
struct CredentialsCacheTests {
    private struct Failure: Error {}

    /// Returns a client whose requests are signed with the credentials of a source.
    private static func client(_ source: AWSCredentialsSource, _ clock: TestClock, _ server: StubServer) -> APIClient {
        server.answer(.text("ok"))
        return APIClient.scripted(server) {
            $0.authentication = .signed(by: SigV4Signer(region: "r", service: "es", credentials: source))
            $0.time = clock.timeSource
        }
    }

    private static func keys(_ server: StubServer) -> [String] {
        server.requests.compactMap {
            $0.head.headerFields[.authorization]?.split(separator: "=").dropFirst().first.map {
                String($0.prefix { $0 != "/" })
            }
        }
    }

    /// Returns credentials with a number, which are valid for a time.
    private static func numbered(_ number: Int, for seconds: TimeInterval?, _ clock: TestClock) -> AWSCredentials {
        AWSCredentials(
            accessKeyID: "K\(number)", secretAccessKey: "S", sessionToken: "T",
            expiration: seconds.map { clock.date.addingTimeInterval($0) })
    }

    @Test("Temporary credentials are replaced five minutes before they expire")
    func early() async throws {
        let (clock, server, count) = (TestClock(), StubServer(), LockedValue(0))
        let source = AWSCredentialsSource {
            count.change { $0 += 1 }
            return Self.numbered(count.value, for: 3600, clock)
        }
        let client = Self.client(source, clock, server)
        for step in [0, 3299, 1, 1000] {
            clock.advance(by: .seconds(step))
            try await client.call(.get, "x").void()
        }
        #expect(Self.keys(server) == ["K1", "K1", "K2", "K2"])
    }

    @Test("Permanent credentials are read again after five minutes")
    func permanent() async throws {
        let (clock, server, count) = (TestClock(), StubServer(), LockedValue(0))
        let source = AWSCredentialsSource {
            count.change { $0 += 1 }
            return Self.numbered(count.value, for: nil, clock)
        }
        let client = Self.client(source, clock, server)
        for step in [0, 299, 1] {
            clock.advance(by: .seconds(step))
            try await client.call(.get, "x").void()
        }
        #expect(Self.keys(server) == ["K1", "K1", "K2"])
    }

    @Test("A failed early refresh keeps the valid credentials, and is tried again after five seconds")
    func postponed() async throws {
        let (clock, server, count) = (TestClock(), StubServer(), LockedValue(0))
        let source = AWSCredentialsSource {
            count.change { $0 += 1 }
            guard count.value == 1 || count.value >= 4 else { throw Failure() }
            return Self.numbered(count.value, for: 600, clock)
        }
        let client = Self.client(source, clock, server)
        for step in [0, 300, 4, 1, 5] {
            clock.advance(by: .seconds(step))
            try await client.call(.get, "x").void()
        }
        #expect(Self.keys(server) == ["K1", "K1", "K1", "K1", "K4"])
        #expect(count.value == 4)
    }

    @Test("Without valid credentials a failure is reported for five seconds without another load")
    func failure() async throws {
        let (clock, server, count) = (TestClock(), StubServer(), LockedValue(0))
        let source = AWSCredentialsSource {
            count.change { $0 += 1 }
            throw Failure()
        }
        let client = Self.client(source, clock, server)
        for step in [0, 4, 1] {
            clock.advance(by: .seconds(step))
            let error = try await #require(throws: NetworkError.self) { try await client.call(.get, "x").void() }
            #expect(error.underlyingError is Failure)
        }
        #expect(count.value == 2)
        #expect(server.requestCount == 0)
    }

    @Test("Expired credentials of a source are an error")
    func expired() async throws {
        let clock = TestClock()
        let source = AWSCredentialsSource { Self.numbered(1, for: -1, clock) }
        let client = Self.client(source, clock, StubServer())
        let error = try await #require(throws: NetworkError.self) { try await client.call(.get, "x").void() }
        #expect((error.underlyingError as? AWSCredentialsError)?.reason == .expired)
    }

    @Test("Simultaneous requests share one load")
    func singleFlight() async throws {
        let (clock, server, count, gate) = (TestClock(), StubServer(), LockedValue(0), Gate())
        let source = AWSCredentialsSource {
            count.change { $0 += 1 }
            try await gate.wait()
            return Self.numbered(count.value, for: 3600, clock)
        }
        let client = Self.client(source, clock, server)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { try await client.call(.get, "x").void() } }
            try await eventually { count.value == 1 }
            gate.open()
            try await group.waitForAll()
        }
        #expect(count.value == 1)
        #expect(Set(Self.keys(server)) == ["K1"])
    }
}
