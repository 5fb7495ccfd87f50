// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghTesting
import SimorghURLSession
import Testing

@Suite("Reference: retries and strategies", .timeLimit(.minutes(5)))
struct RetrySnippets {
    // As on the page, with URLRequest, which `import SimorghURLSession` makes available to a handler.
    struct CustomRetryHandler: RetryHandler {
        func shouldRetry(request: URLRequest, error: NetworkError) -> Bool {
            switch error {
            case .urlError(let e):
                return e.code == .notConnectedToInternet || e.code == .timedOut
            case .customError(let code, _):
                return code >= 500
            default:
                return false
            }
        }

        func modifyRequestForRetry(
            client: APIClient, request: URLRequest, error: NetworkError
        ) -> (URLRequest, NetworkError?) {
            var req = request
            req.setValue("retry", forHTTPHeaderField: "X-Retry-Attempt")
            return (req, nil)
        }
    }

    private static func marks(_ handler: any RetryHandler, _ answer: StubResponse) async throws -> [String?] {
        let mark = try #require(HTTPField.Name("X-Retry-Attempt"))
        let clock = TestClock(movesItself: true)
        let (client, transport) = Reference.client {
            $0.time = clock.timeSource
            $0.retryHandler = handler
        } answer: { _ in
            answer
        }
        await #expect(throws: NetworkError.self) { try await client.call(.get, "https://api.example.com/").data() }
        return transport.requests.map { $0.header(mark) }
    }

    @Test("DefaultRetryHandler retries the configured number of times")
    func standard() async throws {
        let client = APIClient(retryHandler: DefaultRetryHandler(numberOfRetries: 3))
        #expect(client.configuration.retryHandler?.numberOfRetries == 3)
        #expect(
            try await Self.marks(DefaultRetryHandler(numberOfRetries: 3), .status(.badGateway)).count == 4)
    }

    @Test("A custom handler decides about retries, and changes the request")
    func custom() async throws {
        #expect(
            try await Self.marks(CustomRetryHandler(), .status(.badGateway)) == [nil, "retry", "retry", "retry"])
        #expect(try await Self.marks(CustomRetryHandler(), .status(.notFound)) == [nil])
        let late = TransportError(.timedOut, phase: .head, message: "late")
        #expect(try await Self.marks(CustomRetryHandler(), .failure(late)).count == 4)
    }

    @Test("A cache strategy is the client's default, and is changed at run time", arguments: CacheStrategy.allCases)
    func strategy(_ strategy: CacheStrategy) {
        // As on the page; not called, because it opens the user's own cache.
        let _: (CacheStrategy) -> APIClient = APIClient.init(defaultCacheStrategy:)
        let client = APIClient(configuration: .default, defaultCacheStrategy: strategy)
        #expect(client.configuration.cacheStrategy == strategy)
        client.updateDefaultCacheStrategy(.reloadIgnoringLocalCacheData)
        #expect(client.configuration.cacheStrategy == .reloadIgnoringLocalCacheData)
    }
}
