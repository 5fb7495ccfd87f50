// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghTesting
import Synchronization
import TestSupport
import Testing

extension RefreshTests {
    @Test("Only a 401 triggers a refresh unless other statuses are configured", arguments: [403, 407, 500])
    func otherStatus(status: Int) async throws {
        let refreshes = Counter()
        let transport = StubServer { request in
            .status(request.header(.authorization) == "Bearer new" ? .ok : .init(code: status))
        }
        let plain = APIClient.scripted(transport) {
            $0.interceptors = [AuthRefreshInterceptor { "Bearer new\(refreshes.next())" }.interceptor]
        }
        await #expect(throws: NetworkError.self) { try await plain.call(.get, "x").void() }
        #expect(refreshes.count == 0)
        let told = APIClient.scripted(transport) {
            $0.interceptors = [
                AuthRefreshInterceptor(triggeringStatusCodes: [401, status]) { "Bearer new" }.interceptor
            ]
        }
        try await told.call(.get, "x").void()
    }

    @Test("The refreshed header field can be configured; an invalid name fails the call")
    func headerField() async throws {
        let name = try #require(HTTPField.Name("X-Session"))
        let transport = StubServer { .status($0.header(name) == "s2" ? .ok : .unauthorized) }
        let client = APIClient.scripted(transport) {
            $0.interceptors = [AuthRefreshInterceptor(headerField: "X-Session") { "s2" }.interceptor]
        }
        try await client.call(.get, "x").void()
        for bad in ["X Session", "", "a\r\nb"] {
            let broken = APIClient.scripted(transport) {
                $0.interceptors = [AuthRefreshInterceptor(headerField: bad) { "s2" }.interceptor]
            }
            let error = await #expect(throws: NetworkError.self) { try await broken.call(.get, "x").void() }
            guard case .invalidRequest = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    @Test("A refreshed value with a line break fails the call with an error that names the header field")
    func badValue() async throws {
        let client = APIClient.scripted(StubServer { _ in .status(.unauthorized) }) {
            $0.interceptors = [AuthRefreshInterceptor { "Bearer a\r\nEvil: 1" }.interceptor]
        }
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "x").void() }
        let cause = (error?.underlyingError as? TokenRefreshError)?.underlying as? InvalidRequestError
        #expect(cause?.message.contains("Authorization") == true)
        #expect(cause?.message.contains("Evil") == false)
    }

    @Test("A call that opts out of authentication keeps its 401")
    func optOut() async throws {
        let transport = StubServer { _ in .status(.unauthorized) }
        let client = APIClient.scripted(transport) { Way.interceptor.apply(to: &$0) { "new" } }
        await #expect(throws: NetworkError.self) {
            try await client.call(.get, "x").with { $0.allowsAuthentication = false }.void()
        }
        #expect(transport.requestCount == 1)
    }

    @Test("A 401 from another origin, after a redirect, triggers neither a refresh nor a Digest response")
    func redirected() async throws {
        let refreshes = Counter()
        let elsewhere = Interceptor { request, next in
            var response = try await next(request)
            response.redirects = [
                Redirection(statusCode: 302, from: "https://api.test/x", to: "https://other.test/x", method: "GET"),
                Redirection(statusCode: 302, from: "https://other.test/x", to: "https://api.test/y", method: "GET"),
            ]
            return response
        }
        let challenge = StubResponse.status(.unauthorized)
            .header(.wwwAuthenticate, value: "Digest realm=r, nonce=n, qop=auth")
        let transport = StubServer { _ in challenge }
        for way in Way.allCases {
            let client = APIClient.scripted(transport) {
                way.apply(to: &$0) { "new\(refreshes.next())" }
                $0.networkInterceptors = [elsewhere]
            }
            await #expect(throws: NetworkError.self) { try await client.call(.get, "x").void() }
        }
        let digest = APIClient.scripted(transport) {
            $0.authentication = .digest(username: "a", password: "b")
            $0.networkInterceptors = [elsewhere]
        }
        await #expect(throws: NetworkError.self) { try await digest.call(.get, "x").void() }
        #expect(transport.requestCount == Way.allCases.count + 1)
        #expect(refreshes.count == 0)
    }

    @Test("EK14: 401, a refresh, then 500s with n retries send at most n+2 requests", arguments: [0, 1, 3])
    func retries(count: Int) async throws {
        let transport = StubServer { request in
            .status(request.header(.authorization) == "Bearer new" ? .internalServerError : .unauthorized)
        }
        let client = APIClient.scripted(transport) {
            Way.token.apply(to: &$0) { "new" }
            $0.retry = RetryPolicy(maxRetryCount: count, delay: 0)
            $0.retry?.budgetRatio = nil
        }
        await #expect(throws: NetworkError.self) { try await client.call(.get, "x").void() }
        #expect(transport.requestCount == count + 2)
    }

    @Test(
        "EK3: a call's own token is refreshed by the client's refresher, once for ten calls, and read again"
    )
    func accessToken() async throws {
        struct Echo: NetworkRequest {
            typealias Response = Data
            var path: String
            func decodeResponse(_ response: CollectedResponse, using decoder: JSONDecoder) throws -> Data {
                response.body
            }
        }
        let service = Service()
        let transport = StubServer { service.answer($0) }
        let provider = Provider("old") {
            service.refreshes.next()
            return "new"
        }
        let client = APIClient.scripted(transport) { $0.tokenRefresher = provider }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<10 {
                group.addTask {
                    let stream = try await client.stream(Echo(path: "\(index)"), accessToken: { await provider.token })
                    #expect(try await stream.chunks.collect(upTo: 100) == Data("/\(index)".utf8))
                }
            }
            try await group.waitForAll()
        }
        #expect(service.refreshes.count == 1)
        #expect(try await client.send(Echo(path: "x"), accessToken: { await provider.token }) == Data("/x".utf8))
        let refused = await #expect(throws: NetworkError.self) {
            try await client.send(Echo(path: "x"), accessToken: nil)
        }
        #expect(refused?.statusCode == 401)
        #expect(service.refreshes.count == 1)
    }
}
