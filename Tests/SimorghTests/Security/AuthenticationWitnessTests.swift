// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import Synchronization
import Testing

/// Credentials with independent servers, and with a server that counts the requests it receives.
@Suite(.timeLimit(.minutes(10)))
struct AuthenticationWitnessTests {
    @Test(
        "httpbin accepts Digest with each algorithm, and the second request without a challenge",
        arguments: ["MD5", "SHA-256"])
    func digest(algorithm: String) async throws {
        let client = APIClient(baseURL: try Witness.httpbin.url).with {
            $0.authentication = .digest(username: "zal", password: "fea:ther")
        }
        for turn in 1...2 {
            let response = try await client.call(.get, "digest-auth/auth/zal/fea:ther/\(algorithm)").decoding(.json)
                .response()
            #expect(response.value["authenticated"] == true)
            #expect(response.response.attempts <= 3 - turn)
        }
    }

    @Test("httpbin accepts Digest with auth-int")
    func digestOverBody() async throws {
        let client = APIClient(baseURL: try Witness.httpbin.url).with {
            $0.authentication = .digest(username: "zal", password: "feather")
        }
        let json = try await client.call(.get, "digest-auth/auth-int/zal/feather").json()
        #expect(json["authenticated"] == true)
    }

    @Test("httpbin refuses a wrong password after one retry")
    func wrongPassword() async throws {
        let attempts = Mutex(0)
        let client = APIClient(baseURL: try Witness.httpbin.url).with {
            $0.authentication = .digest(username: "zal", password: "wrong")
            $0.networkInterceptors = [
                Interceptor { request, next in
                    attempts.withLock { $0 += 1 }
                    return try await next(request)
                }
            ]
        }
        let error = await #expect(throws: NetworkError.self) {
            try await client.call(.get, "digest-auth/auth/zal/feather/MD5").void()
        }
        #expect(error?.statusCode == 401)
        #expect(attempts.withLock { $0 } == 2)
    }

    @Test("httpbin accepts Basic and Bearer credentials")
    func others() async throws {
        let client = APIClient(baseURL: try Witness.httpbin.url)
        let basic = client.with { $0.authentication = .basic(username: "zal", password: "fea:ther") }
        #expect(try await basic.call(.get, "basic-auth/zal/fea:ther").json()["authenticated"] == true)
        let bearer = client.with { $0.authentication = .bearer("t0ken") }
        #expect(try await bearer.call(.get, "bearer").json()["token"] == "t0ken")
    }

    @Test("EK3: a refused POST arrives exactly twice with its body, the second time with the new token")
    func counted() async throws {
        let key = CountingReport.newKey()
        let client = APIClient(baseURL: try Witness.counting.url).with {
            $0.headers["Authorization"] = "Bearer old"
            $0.interceptors = [AuthRefreshInterceptor { "Bearer new" }.interceptor]
        }
        let body = String(repeating: "x", count: 300_000)
        try await client.call(.post, "a/\(key)", query: ["token": "new"], body: .text(body)).void()
        let report = try await CountingReport.load(key)
        #expect(report.requests.map { $0.values("Authorization") } == [["Bearer old"], ["Bearer new"]])
        #expect(report.requests.map(\.bodyLength) == [300_000, 300_000])
        #expect(report.requests.map(\.status) == [401, 200])
    }

    @Test("Credentials for one origin do not reach another origin")
    func otherOrigin() async throws {
        let key = CountingReport.newKey()
        struct Other: NetworkRouter {
            var base: String
            var path: String
            var baseURLString: String { base }
        }
        for authentication in [
            Authentication.bearer("secret"), .basic(username: "zal", password: "secret"),
            .apiKey("secret", name: "X-Key"), .apiKey("secret", name: "key", in: .query),
            .digest(username: "zal", password: "secret"),
        ] {
            let client = APIClient(baseURL: try Witness.counting.url).with { $0.authentication = authentication }
            _ = try? await client.call(Other(base: try Witness.countingOther.url, path: "a/\(key)")).void()
        }
        let report = try await CountingReport.load(key)
        #expect(report.count == 5)
        for request in report.requests {
            #expect(request.server == "other")
            #expect(request.values("Authorization").isEmpty)
            #expect(request.values("X-Key").isEmpty)
            #expect(request.query.isEmpty)
        }
    }
}
