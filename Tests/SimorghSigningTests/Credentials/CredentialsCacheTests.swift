// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSigning
import SimorghSupport
import SimorghTesting
import TestSupport
import Testing

@Suite("AWSCredentialsSource: refresh", .timeLimit(.minutes(5)))
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

    @Test("Temporary credentials are replaced five minutes before they expire, while requests use the old ones")
    func early() async throws {
        let (clock, server, count, gate) = (TestClock(), StubServer(), LockedValue(0), Gate(isOpen: true))
        let slow = Gate()
        let source = AWSCredentialsSource {
            count.change { $0 += 1 }
            try await (count.value == 1 ? gate : slow).wait()
            return Self.numbered(count.value, for: 3600, clock)
        }
        let client = Self.client(source, clock, server)
        for step in [0, 3299, 1, 200] {
            clock.advance(by: .seconds(step))
            try await client.call(.get, "x").void()
        }
        try await slow.waiting()
        #expect(Self.keys(server) == ["K1", "K1", "K1", "K1"])
        slow.open()
        try await eventually {
            try await client.call(.get, "x").void()
            return Self.keys(server).last == "K2"
        }
        #expect(count.value == 2)
    }

    @Test("In the last minute before the expiration a request waits for new credentials")
    func urgent() async throws {
        let (clock, server, count) = (TestClock(), StubServer(), LockedValue(0))
        let source = AWSCredentialsSource {
            count.change { $0 += 1 }
            return Self.numbered(count.value, for: 3600, clock)
        }
        let client = Self.client(source, clock, server)
        for step in [0, 3540, 1000] {
            clock.advance(by: .seconds(step))
            try await client.call(.get, "x").void()
        }
        #expect(Self.keys(server) == ["K1", "K2", "K2"])
    }

    @Test("A call waits for credentials until its deadline")
    func deadline() async throws {
        let (clock, server, gate) = (TestClock(), StubServer(), Gate())
        let source = AWSCredentialsSource {
            try await gate.wait()
            return Self.numbered(1, for: nil, clock)
        }
        let client = Self.client(source, clock, server).with { $0.timeouts.total = .seconds(1) }
        let call = Task { try await client.call(.get, "x").void() }
        try await gate.waiting()
        try await clock.sleeping(forAtMost: .seconds(1))
        clock.advance(by: .seconds(1))
        let error = await #expect(throws: NetworkError.self) { try await call.value }
        guard case .urlError(let failure)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.code == .timedOut)
        #expect(server.requestCount == 0)
        gate.open()
    }

    @Test("Without a deadline a call waits for credentials for 30 seconds")
    func noDeadline() async throws {
        let (clock, server, gate) = (TestClock(), StubServer(), Gate())
        let source = AWSCredentialsSource {
            try await gate.wait()
            return Self.numbered(1, for: nil, clock)
        }
        let client = Self.client(source, clock, server).with { $0.timeouts.total = nil }
        let call = Task { try await client.call(.get, "x").void() }
        try await gate.waiting()
        try await clock.sleeping(for: .seconds(30))
        clock.advance(by: .seconds(30))
        let error = await #expect(throws: NetworkError.self) { try await call.value }
        #expect((error?.underlyingError as? AWSCredentialsError)?.reason == .unavailable)
        gate.open()
    }

    @Test("A source whose function needs its own credentials is an error instead of a wait without end")
    func recursion() async throws {
        let (clock, server, own) = (TestClock(), StubServer(), LockedValue<APIClient?>(nil))
        let source = AWSCredentialsSource {
            try await own.value?.call(.get, "token").void()
            return Self.numbered(1, for: nil, clock)
        }
        let client = Self.client(source, clock, server)
        own.change { $0 = client }
        let error = try await #require(throws: NetworkError.self) { try await client.call(.get, "x").void() }
        #expect((error.underlyingError as? AWSCredentialsError)?.reason == .unavailable)
        #expect(server.requestCount == 0)
        own.change { $0 = nil }
    }

    @Test("A cancelled load says nothing about the source", arguments: [0, 1, 2])
    func cancelled(kind: Int) async throws {
        let (clock, server, count) = (TestClock(), StubServer(), LockedValue(0))
        let source = AWSCredentialsSource {
            count.change { $0 += 1 }
            if count.value == 1 { throw Self.cancellations[kind] }
            return Self.numbered(count.value, for: nil, clock)
        }
        let client = Self.client(source, clock, server)
        await #expect(throws: NetworkError.self) { try await client.call(.get, "x").void() }
        try await client.call(.get, "x").void()
        #expect(Self.keys(server) == ["K2"])
    }

    private static let cancellations: [any Error] = [
        CancellationError(), NetworkError.cancelled(FailureContext(method: "GET", url: "", attempts: 0)),
        TransportError.cancelled(phase: .total),
    ]

    @Test("Fixed credentials need no load, and expire")
    func fixed() async throws {
        let (clock, server) = (TestClock(), StubServer())
        let client = Self.client(.fixed(Self.numbered(1, for: 100, clock)), clock, server)
        try await client.call(.get, "x").void()
        clock.advance(by: .seconds(100))
        let error = try await #require(throws: NetworkError.self) { try await client.call(.get, "x").void() }
        #expect((error.underlyingError as? AWSCredentialsError)?.reason == .expired)
        #expect(Self.keys(server) == ["K1"])
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

    @Test("A failed refresh keeps the valid credentials, and is tried again after five seconds")
    func postponed() async throws {
        let (clock, server, count) = (TestClock(), StubServer(), LockedValue(0))
        let source = AWSCredentialsSource {
            count.change { $0 += 1 }
            guard count.value == 1 || count.value >= 4 else { throw Failure() }
            return Self.numbered(count.value, for: 600, clock)
        }
        let client = Self.client(source, clock, server)
        for step in [0, 545, 4, 1, 5] {
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
