// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSigning
import SimorghSupport
import SimorghTesting
import TestSupport
import Testing

@Suite("SigV4Signer: clock skew", .timeLimit(.minutes(5)))
struct ClockSkewTests {
    private static let date = HTTPField.Name.known("X-Amz-Date")

    /// Returns a rejection of the date, from a server whose clock differs.
    private static func rejection(
        _ skew: TimeInterval, clock: TestClock, code: String = "RequestTimeTooSkewed"
    ) -> StubResponse {
        StubResponse(
            status: .forbidden, headerFields: [.date: HTTPDate.text(clock.date.addingTimeInterval(skew))],
            body: Data("<Error><Code>\(code)</Code></Error>".utf8))
    }

    private static func client(
        _ server: StubServer, _ clock: TestClock, base: String = "https://api.test", corrects: Bool = true
    ) -> APIClient {
        APIClient.scripted(server, baseURL: base) {
            var signer = SigV4Signer.s3(region: "eu-west-1", credentials: .fixed(SigV4SignerTests.credentials))
            signer.correctsClockSkew = corrects
            $0.authentication = .signed(by: signer)
            $0.time = clock.timeSource
        }
    }

    private static func dates(_ server: StubServer) -> [String?] {
        server.requests.map { $0.head.headerFields[date] }
    }

    @Test("A rejected date is corrected once, and later requests use the server's time at once")
    func corrected() async throws {
        let (server, clock) = (StubServer(), TestClock())
        server.answer(inOrder: [Self.rejection(3600, clock: clock), .text("ok"), .text("ok")])
        let client = Self.client(server, clock)
        try await client.call(.put, "x", body: .text("a")).void()
        try await client.call(.get, "y").void()
        #expect(Self.dates(server) == ["20260101T000000Z", "20260101T010000Z", "20260101T010000Z"])
    }

    @Test("A second rejection of the same date stays a rejection")
    func once() async throws {
        let (server, clock) = (StubServer(), TestClock())
        server.answer(Self.rejection(-3600, clock: clock))
        let client = Self.client(server, clock)
        for expected in [2, 3] {
            let error = try await #require(throws: NetworkError.self) { try await client.call(.get, "x").void() }
            #expect(error.statusCode == 403)
            #expect(server.requestCount == expected)
        }
    }

    @Test(
        "A date is not corrected if another reason, a small or a huge difference, or plain HTTP forbids it",
        arguments: [
            (60, "RequestTimeTooSkewed", "https://api.test", true),
            (90_000, "RequestTimeTooSkewed", "https://api.test", true),
            (3600, "AccessDenied", "https://api.test", true),
            (3600, "RequestTimeTooSkewed", "http://api.test", true),
            (3600, "RequestTimeTooSkewed", "https://api.test", false),
        ] as [(TimeInterval, String, String, Bool)])
    func uncorrected(skew: TimeInterval, code: String, base: String, corrects: Bool) async throws {
        let (server, clock) = (StubServer(), TestClock())
        server.answer(Self.rejection(skew, clock: clock, code: code))
        let client = Self.client(server, clock, base: base, corrects: corrects)
        await #expect(throws: NetworkError.self) { try await client.call(.get, "x").void() }
        #expect(server.requestCount == 1)
    }

    @Test("A response to HEAD has no code, so its date decides")
    func head() async throws {
        let (server, clock) = (StubServer(), TestClock())
        server.answer(inOrder: [Self.rejection(3600, clock: clock, code: ""), .text("ok")])
        try await Self.client(server, clock).call(.head, "x").void()
        #expect(Self.dates(server) == ["20260101T000000Z", "20260101T010000Z"])
    }

    @Test("A response from a cache does not change the clock")
    func cached() async throws {
        let (server, clock) = (StubServer(), TestClock())
        server.answer(Self.rejection(-3600, clock: clock).header(.known("Age"), value: "3600"))
        let client = Self.client(server, clock)
        await #expect(throws: NetworkError.self) { try await client.call(.head, "x").void() }
        #expect(server.requestCount == 1)
    }

    @Test("Each of several simultaneous requests with a rejected date is signed again")
    func simultaneous() async throws {
        let (server, clock, gate) = (StubServer(), TestClock(), Gate())
        server.answer(.text("ok"))
        let rejection = server.add(
            .custom(named: "this machine's date") { $0.head.headerFields[Self.date] == "20260101T000000Z" },
            response: Self.rejection(3600, clock: clock).held(by: gate))
        defer { rejection.remove() }
        let client = Self.client(server, clock)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<5 { group.addTask { try await client.call(.get, "x").void() } }
            try await gate.waiting(5)
            gate.open()
            try await group.waitForAll()
        }
        #expect(Self.dates(server).count { $0 == "20260101T010000Z" } == 5)
        #expect(server.requestCount == 10)
    }

    @Test("A difference is used for an hour; then the clock of this machine counts again")
    func forgotten() async throws {
        let (server, clock) = (StubServer(), TestClock())
        server.answer(inOrder: [Self.rejection(7200, clock: clock), .text("ok"), .text("ok"), .text("ok")])
        let client = Self.client(server, clock)
        for step in [0, 3599, 1] {
            clock.advance(by: .seconds(step))
            try await client.call(.get, "x").void()
        }
        #expect(
            Self.dates(server) == [
                "20260101T000000Z", "20260101T020000Z", "20260101T025959Z", "20260101T010000Z",
            ])
    }

    @Test("A wrong date of a server changes nothing for other requests that share the credentials")
    func credentials() async throws {
        let (wrong, right, clock, count) = (StubServer(), StubServer(), TestClock(), LockedValue(0))
        let source = AWSCredentialsSource {
            count.change { $0 += 1 }
            return AWSCredentials(
                accessKeyID: "K\(count.value)", secretAccessKey: "S", sessionToken: "T",
                expiration: clock.date.addingTimeInterval(6 * 3600))
        }
        func client(_ server: StubServer) -> APIClient {
            APIClient.scripted(server) {
                $0.authentication = .signed(by: SigV4Signer.s3(region: "r", credentials: source))
                $0.time = clock.timeSource
            }
        }
        // With the date of this server the credentials would have expired.
        wrong.answer(inOrder: [Self.rejection(23 * 3600, clock: clock), .text("ok")])
        right.answer(.text("ok"))
        try await client(wrong).call(.get, "x").void()
        #expect(Self.dates(wrong) == ["20260101T000000Z", "20260101T230000Z"])
        try await client(right).call(.get, "x").void()
        #expect(count.value == 1)
        clock.advance(by: .seconds(6 * 3600))
        try await client(right).call(.get, "x").void()
        #expect(count.value == 2)
    }

    @Test("A body that can be sent once is not sent again")
    func onceBody() async throws {
        let (server, clock) = (StubServer(), TestClock())
        server.answer(Self.rejection(3600, clock: clock))
        let body = RequestBody.once(
            AsyncThrowingStream<Data, any Error> { continuation in
                continuation.yield(Data("a".utf8))
                continuation.finish()
            }, length: 1)
        let client = Self.client(server, clock)
        await #expect(throws: NetworkError.self) { try await client.call(.put, "x", body: body).void() }
        #expect(server.requestCount == 1)
    }
}
