// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghTesting
import Testing

@Suite("Retry at another origin", .timeLimit(.minutes(5)))
struct RetryAtAnotherOriginTests {
    private let transport = StubServer(inOrder: [.status(.serviceUnavailable), .status(.ok)])

    /// Returns a client whose retries go to another origin, with a condition of their own if given.
    private func client(newTag: String? = nil) -> APIClient {
        let time = TestClock(movesItself: true).timeSource
        let step = Interceptor.retry(
            RetryExchange(RetryPolicy(), time: time) { attempt in
                var request = attempt.request
                request.head.authority = "other.test"
                if let newTag { request.head.headerFields[.ifMatch] = newTag }
                return request
            })
        return APIClient.scripted(transport) { ($0.interceptors, $0.time) = ([step], time) }
    }

    @Test("A read loses its conditions and the range that they protect")
    func read() async throws {
        let headers = ["If-Range": "\"v1\"", "Range": "bytes=5-", "If-None-Match": "\"v1\"", "Accept": "*/*"]
        try await client().call(.get, "a", headers: headers).void()
        let sent = try #require(transport.requests.last)
        #expect(sent.head.authority == "other.test")
        for name in [HTTPField.Name.ifRange, .range, .ifNoneMatch] { #expect(sent.header(name) == nil) }
        #expect(sent.header(.accept) == "*/*")
    }

    @Test("A write with a condition is not sent, unless the retry sets another condition", arguments: [nil, "\"v2\""])
    func write(newTag: String?) async throws {
        let call = client(newTag: newTag).call(.put, "a", headers: ["If-Match": "\"v1\""], body: .text("x"))
        if newTag != nil {
            try await call.void()
            #expect(transport.requests.last?.header(.ifMatch) == newTag)
        } else {
            let error = try await #require(throws: NetworkError.self) { try await call.void() }
            guard case .invalidRequest(let cause, _) = error else { throw error }
            #expect(cause.message.contains("If-Match"))
            #expect(transport.requestCount == 1)
        }
    }
}
