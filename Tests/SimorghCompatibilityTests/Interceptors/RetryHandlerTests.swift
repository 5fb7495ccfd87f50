// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghSupport
import SimorghTesting
import Testing

@Suite("RetryHandler", .timeLimit(.minutes(10)))
struct RetryHandlerTests {
    /// A handler as in the documentation: without a count of its own, and with a change of the request.
    struct Marking: RetryHandler {
        func shouldRetry(request: TransportRequest, error: NetworkError) -> Bool {
            switch error {
            case .urlError(let error): error.code == .notConnectedToInternet || error.code == .timedOut
            case .customError(let code, _): code >= 500
            default: false
            }
        }

        func modifyRequestForRetry(
            client: APIClient, request: TransportRequest, error: NetworkError
        ) -> (TransportRequest, NetworkError?) {
            var request = request
            request.head.headerFields[.from] = client.configuration.baseURL
            return (request, nil)
        }
    }

    struct Refusing: RetryHandler {
        func modifyRequestForRetry(
            client: APIClient, request: TransportRequest, error: NetworkError
        ) -> (TransportRequest, NetworkError?) { (request, .unknown) }
    }

    struct Waiting: RetryHandler {
        let numberOfRetries = 1
        func shouldRetryAsync(request: TransportRequest, error: NetworkError) async -> Bool { error.statusCode == 401 }
        func modifyRequestForRetryAsync(
            client: APIClient, request: TransportRequest, error: NetworkError
        ) async throws -> TransportRequest {
            // A new request that has no state of the call.
            TransportRequest(head: request.head, body: .text("fresh"))
        }
    }

    private static func client(_ transport: StubServer, _ handler: any RetryHandler) -> APIClient {
        APIClient.scripted(transport) {
            $0.time = TestClock(movesItself: true).timeSource
            $0.retryHandler = handler
        }
    }

    @Test("The default handler retries transient errors up to numberOfRetries", arguments: [-1, 0, 1, 3])
    func standard(count: Int) async throws {
        let transport = StubServer { _ in .status(.badGateway) }
        let client = Self.client(transport, DefaultRetryHandler(numberOfRetries: count))
        await #expect(throws: NetworkError.self) { try await client.call(.get, "x").data() }
        #expect(transport.requestCount == 1 + max(0, count))
    }

    @Test(
        "The default handler does not retry unsafe methods, permanent errors and decoding errors",
        arguments: [
            (RequestMethod.post, HTTPResponse.Status.serviceUnavailable), (.get, .notFound), (.get, .ok),
            (.patch, .internalServerError),
        ])
    func careful(method: RequestMethod, status: HTTPResponse.Status) async throws {
        let transport = StubServer { _ in .json("[]", status: status) }
        let client = Self.client(transport, DefaultRetryHandler(numberOfRetries: 3))
        await #expect(throws: NetworkError.self) { try await client.call(method, "x").decode([String: Int].self) }
        #expect(transport.requestCount == 1)
    }

    @Test("A custom handler changes the request, receives the client, and has three retries by default")
    func marking() async throws {
        let transport = StubServer { _ in .status(.init(code: 599)) }
        let client = Self.client(transport, Marking())
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "x").data() }
        #expect(transport.requests.map { $0.header(.from) } == [nil] + Array(repeating: "https://api.test", count: 3))
        #expect(error?.context?.attempts == 4)
    }

    @Test("An error returned by a handler instead of a request is thrown to the caller")
    func refusing() async throws {
        let transport = StubServer { _ in .status(.badGateway) }
        let client = Self.client(transport, Refusing())
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "x").data() }
        guard case .unknown = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(transport.requestCount == 1)
    }

    @Test("A handler may be async, and a rejected POST may be sent again")
    func waiting() async throws {
        let transport = StubServer { _ in .status(.unauthorized) }
        let client = Self.client(transport, Waiting())
        let error = await #expect(throws: NetworkError.self) {
            try await client.call(.post, "x", body: .text("stale")).data()
        }
        #expect(transport.requests.map(\.text) == ["stale", "fresh"])
        #expect(error?.context?.attempts == 2)
    }

    private struct Persistent: NetworkRequest {
        typealias Response = EmptyResponse
        var path: String { "x" }
        var allowsRetry = true
        var retryPolicy: RetryPolicy? { RetryPolicy(maximumRetries: 2) }
    }

    @Test("A request may set its own retry policy, or disallow retries")
    func requests() async throws {
        let transport = StubServer { _ in .status(.badGateway) }
        let client = Self.client(transport, DefaultRetryHandler(numberOfRetries: 5)).with { $0.retryHandler = nil }
        await #expect(throws: NetworkError.self) { try await client.send(Persistent()) }
        #expect(transport.requestCount == 3)
        let handled = client.with { $0.retryHandler = DefaultRetryHandler(numberOfRetries: 5) }
        await #expect(throws: NetworkError.self) { try await handled.send(Persistent(allowsRetry: false)) }
        #expect(transport.requestCount == 4)
    }

    @Test("SMA18: retrying(_:) decides about one call's failures, even if the client does not retry")
    func judged() async throws {
        let transport = StubServer { _ in .status(.conflict) }
        let client = APIClient.scripted(transport) { $0.time = TestClock(movesItself: true).timeSource }
        let call = client.call(.get, "x").retrying { $0.index < 2 ? .retry : .doNotRetry }
        await #expect(throws: NetworkError.self) { try await call.data() }
        #expect(transport.requestCount == 3)
        await #expect(throws: NetworkError.self) { try await call.retrying(nil).data() }
        #expect(transport.requestCount == 4)
    }

    @Test("With a retry policy a handler keeps its own count, and the policy sets the delays")
    func beside() async throws {
        let clock = TestClock(movesItself: true)
        let transport = StubServer { _ in .status(.badGateway) }
        let client = APIClient.scripted(transport) {
            $0.time = clock.timeSource
            $0.random = RandomSource { 0.5 }
            $0.retry = RetryPolicy()
            $0.retry?.baseDelay = .seconds(2)
            $0.retryHandler = DefaultRetryHandler(numberOfRetries: 2)
        }
        await #expect(throws: NetworkError.self) { try await client.call(.get, "x").data() }
        #expect(clock.waits == [.seconds(1), .seconds(2)])
    }
}
