// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghREST
import SimorghSigning
import SimorghSupport
import SimorghTesting
import TestSupport
import Testing

@Suite("Authentication.signed(by:)", .timeLimit(.minutes(5)))
struct SignedRequestTests {
    private static let signer = SigV4Signer.s3(region: "eu-west-1", credentials: .fixed(SigV4SignerTests.credentials))

    @Test(
        "A redirect is signed only if the program lists all origins on the way",
        arguments: [
            (["https://evil.test/a", "https://a.test/key"], [false, false]),
            (["https://a.test/x", "https://cdn.test/b", "https://a.test/key"], [true, false, false]),
            (["https://a.test/x", "https://b.test/y", "https://a.test/z"], [true, true, true]),
            (["https://evil.test/a", "https://evil.test/b", "https://b.test/key"], [false, false, false]),
        ])
    func chains(urls: [String], isSigned: [Bool]) async throws {
        let server = StubServer()
        let redirects = urls.dropFirst().map {
            StubResponse(status: .temporaryRedirect, headerFields: [.location: $0])
        }
        server.answer(inOrder: redirects + [.text("ok")])
        let client = APIClient.scripted(server, baseURL: nil) {
            $0.authentication = .signed(by: Self.signer).limited(to: ["https://a.test", "https://b.test"])
        }
        try await client.call(.put, urls[0], body: .text("a")).void()
        #expect(server.requests.map { $0.head.headerFields.contains(.authorization) } == isSigned)
    }

    @Test("A request that waits for a rate limit has the date at which it is sent")
    func rateLimit() async throws {
        let (server, clock) = (StubServer(), TestClock())
        server.answer(.text("ok"))
        let client = APIClient.scripted(server) {
            $0.authentication = .signed(by: Self.signer)
            $0.time = clock.timeSource
            $0.timeouts.total = nil
            $0.resilience.rateLimit = RateLimit(requests: 1, per: .seconds(600))
        }
        try await client.call(.get, "x").void()
        let second = Task { try await client.call(.get, "x").void() }
        try await clock.sleeping(for: .seconds(600))
        clock.advance(by: .seconds(600))
        try await second.value
        let dates = server.requests.map { $0.head.headerFields[.known("X-Amz-Date")] }
        #expect(dates == ["20260101T000000Z", "20260101T001000Z"])
    }

    @Test("A URL that a step changes to http is signed as the https URL that HSTS makes of it")
    func upgraded() async throws {
        let (server, store, clock) = (StubServer(), HSTSStore(), TestClock())
        store.add("api.test", includesSubdomains: true, for: .seconds(1000))
        server.answer(.text("ok"))
        let key = try RFC9421Keys.signing("test-key-ed25519")
        let client = APIClient.scripted(server) {
            $0.authentication = .signed(by: HTTPMessageSigner(key: key, keyID: "k"))
            $0.time = clock.timeSource
            $0.hsts = store
            $0.interceptors = [
                Interceptor { request, next in
                    var request = request
                    request.head.scheme = "http"
                    return try await next(request)
                }
            ]
        }
        try await client.call(.get, "x").void()
        let head = try #require(server.requests.first?.head)
        #expect(head.scheme == "https")
        let verifier = MessageSignatureVerifier { _ in key.verificationKey }
        _ = try await verifier.verify(head, body: Data(), at: clock.date)
    }

    /// A signer that records what it learns.
    private struct Recording: RequestSigner {
        let second = LockedValue<[String]>([])
        let refused = LockedValue<[String]>([])

        func signed(_ request: TransportRequest, at date: Date) async throws -> TransportRequest {
            var request = request
            request.head.headerFields[.authorization] = "first"
            return request
        }

        func signedAgain(
            _ request: TransportRequest, after rejection: SignatureRejection, at date: Date
        ) async throws -> TransportRequest? {
            refused.change { $0.append(rejection.signedHead.headerFields[.authorization] ?? "") }
            var request = request
            request.head.headerFields[.authorization] = "second"
            return request
        }

        func accepted(_ request: TransportRequest) {
            second.change { $0.append(request.head.headerFields[.authorization] ?? "") }
        }
    }

    @Test(
        "A signer learns which signature was rejected, and whether the second one was accepted",
        arguments: [
            ([.forbidden, .ok], 200, ["second"]), ([.forbidden, .notFound], 404, []),
            ([.forbidden, .tooManyRequests], 429, []), ([.forbidden, .serviceUnavailable], 503, []),
            ([.forbidden, .forbidden], 403, []), ([.forbidden, .unauthorized], 403, []),
            ([.unauthorized, .unauthorized], 401, []), ([.unauthorized, .forbidden], 403, []),
        ] as [([HTTPResponse.Status], Int, [String])])
    func outcomes(statuses: [HTTPResponse.Status], status: Int, accepted: [String]) async throws {
        let (server, signer) = (StubServer(), Recording())
        server.answer(inOrder: statuses.map { .status($0) })
        let client = APIClient.scripted(server) { $0.authentication = .signed(by: signer) }
        let response = try await client.call(.get, "x").status()
        #expect(response.statusCode == status)
        #expect(signer.refused.value == ["first"] && signer.second.value == accepted)
    }

    private struct Unavailable: Error {}

    /// A signer whose second signature fails.
    private struct Failing: RequestSigner {
        let error: any Error

        func signed(_ request: TransportRequest, at date: Date) async throws -> TransportRequest { request }

        func signedAgain(
            _ request: TransportRequest, after rejection: SignatureRejection, at date: Date
        ) async throws -> TransportRequest? { throw error }
    }

    @Test("If the second signature fails, the caller gets the response to the first one")
    func failedAgain() async throws {
        let server = StubServer()
        server.answer(.status(.forbidden))
        let client = APIClient.scripted(server) { $0.authentication = .signed(by: Failing(error: Unavailable())) }
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "x").void() }
        #expect(error?.statusCode == 403 && server.requestCount == 1)
        let cancelled = APIClient.scripted(server) {
            $0.authentication = .signed(by: Failing(error: CancellationError()))
        }
        let end = await #expect(throws: NetworkError.self) { try await cancelled.call(.get, "x").void() }
        #expect(end?.isCancelled == true)
    }

    @Test("Cancelling a call ends the wait for its credentials and the reading of its body")
    func cancelled() async throws {
        let (server, load, read) = (StubServer(), Gate(), Gate())
        let source = AWSCredentialsSource {
            try await load.wait()
            return SigV4SignerTests.credentials
        }
        let loading = APIClient.scripted(server) {
            $0.authentication = .signed(by: SigV4Signer.s3(region: "r", credentials: source))
        }
        let hashing = APIClient.scripted(server) {
            $0.authentication = .signed(
                by: SigV4Signer(region: "r", service: "es", credentials: .fixed(SigV4SignerTests.credentials)))
        }
        let body = RequestBody.stream { Held(gate: read) }
        for (gate, task) in [
            (load, Task { try await loading.call(.get, "x").void() }),
            (read, Task { try await hashing.call(.put, "x", body: body).void() }),
        ] {
            try await gate.waiting()
            task.cancel()
            let error = await #expect(throws: NetworkError.self) { try await task.value }
            #expect(error?.isCancelled == true)
        }
        #expect(server.requestCount == 0)
        load.open()
    }

    /// A body that waits at a gate.
    private struct Held: AsyncSequence, AsyncIteratorProtocol, Sendable {
        let gate: Gate
        func makeAsyncIterator() -> Held { self }
        mutating func next() async throws -> Data? {
            try await gate.wait()
            return nil
        }
    }
}
