// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct AuthenticationTests {
    static let secret = "s3cr3t-feather"

    /// Every kind of authentication, each with the same secret.
    static let kinds: [Authentication] = [
        .basic(username: "zal", password: secret), .bearer(secret), .apiKey(secret, name: "X-Key"),
        .apiKey(secret, name: "key", in: .query), .digest(username: "zal", password: secret),
        .refreshing(RefreshingToken(AccessToken(secret)) { _ in nil }),
        .refreshing(NoProvider()) { secret },
    ]

    struct NoProvider: TokenRefreshProvider {
        func refreshTokenIfNeeded() async throws {}
    }

    /// Sends one request and returns it as recorded.
    private func sent(
        _ authentication: Authentication, base: String? = "https://api.test", path: String = "x",
        headers: [String: String] = [:], _ change: (inout APIClient.Configuration) -> Void = { _ in }
    ) async throws -> RecordedRequest {
        let transport = StubServer { _ in .status(.ok) }
        let client = APIClient.scripted(transport, baseURL: base) {
            $0.authentication = authentication
            change(&$0)
        }
        try await client.call(.get, path, headers: headers).void()
        return try #require(transport.requests.first)
    }

    @Test("Basic sends name and password in UTF-8")
    func basic() async throws {
        let request = try await sent(.basic(username: "Jäsøn", password: "a:b€"))
        #expect(request.header(.authorization) == "Basic " + Data("Jäsøn:a:b€".utf8).base64EncodedString())
    }

    @Test("A bearer token is requested for each call; without a token the request is sent without a credential")
    func bearer() async throws {
        let turn = Counter()
        let transport = StubServer { _ in .status(.ok) }
        let client = APIClient.scripted(transport) {
            $0.authentication = .bearer { turn.next() == 2 ? nil : "t\(turn.count)" }
        }
        for _ in 0..<3 { try await client.call(.get, "x").void() }
        #expect(transport.requests.map { $0.header(.authorization) } == ["Bearer t1", nil, "Bearer t3"])
    }

    @Test("An API key is sent in the header field or, escaped, in the query")
    func apiKey() async throws {
        let name = try #require(HTTPField.Name("X-Key"))
        let keyed = try await sent(.apiKey("k", name: "X-Key"))
        #expect(keyed.header(name) == "k")
        let field = try #require(keyed.head.headerFields[fields: name].first)
        #expect(field.indexingStrategy == .disallow, "the key is never indexed in HPACK")
        #expect(try await sent(.apiKey("k", name: "X-Key"), headers: ["x-key": "own"]).header(name) == "own")
        let query: Authentication = .apiKey("a b&c=+", name: "k y", in: .query)
        #expect(try await sent(query).head.path == "/x?k%20y=a%20b%26c%3D%2B")
        let joined = try await sent(query) { $0.query = ["a": 1] }
        #expect(joined.head.path == "/x?a=1&k%20y=a%20b%26c%3D%2B")
        let own = try await sent(query) { $0.query = ["k y": 1] }
        #expect(own.head.path == "/x?k%20y=1")
    }

    @Test(
        "A request keeps its own Authorization; the credential overrides the client's default fields",
        arguments: [0, 1, 4, 5, 6])
    func ownHeader(kind: Int) async throws {
        let own = try await sent(Self.kinds[kind], headers: ["authorization": "Own 1"])
        #expect(own.head.headerFields[values: .authorization] == ["Own 1"])
        guard kind != 4 else { return }
        let defaulted = try await sent(Self.kinds[kind]) { $0.headers = ["Authorization": "Default"] }
        #expect(defaulted.head.headerFields[values: .authorization].count == 1)
        #expect(defaulted.header(.authorization) != "Default")
    }

    @Test("A call that opts out of authentication carries no credential", arguments: kinds.indices)
    func optOut(kind: Int) async throws {
        let request = try await sent(Self.kinds[kind]) { $0.allowsAuthentication = false }
        #expect(!"\(request.head.headerFields)\(request.url)".contains(Self.secret))
        #expect(request.header(.authorization) == nil)
        let step = try await sent(Self.kinds[kind]) {
            $0.authentication = nil
            $0.interceptors = [.bearer { Self.secret }, .basic(username: "a", password: Self.secret)]
            $0.allowsAuthentication = false
        }
        #expect(step.header(.authorization) == nil)
    }

    @Test(
        "A token with a line break is refused with an error that names the header field but not the token",
        arguments: ["a\r\nEvil: 1", "a\nb", "a\0b", "", "  "])
    func invalidToken(token: String) async throws {
        let transport = StubServer { _ in .status(.ok) }
        var kinds: [Authentication] = [
            .bearer(token), .refreshing(RefreshingToken(AccessToken(token)) { _ in nil }),
            .refreshing(NoProvider()) { token },
        ]
        if !token.allSatisfy({ $0 == " " }) {
            kinds += [
                .apiKey(token, name: "Authorization"), .basic(username: token, password: ""),
                .digest(username: token, password: ""),
            ]
        }
        for kind in kinds {
            let client = APIClient.scripted(transport) { $0.authentication = kind }
            let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "x").void() }
            guard case .invalidRequest(let refusal, _) = error else {
                Issue.record("\(kind): \(String(describing: error))")
                continue
            }
            #expect(refusal.reason == .invalidHeader)
            #expect(refusal.message.contains("Authorization"))
            #expect(!refusal.message.contains("Evil"))
        }
        #expect(transport.requestCount == 0)
    }

    @Test("Basic refuses a name with a colon, which would become part of the password")
    func colon() async throws {
        let client = APIClient.scripted(StubServer { _ in .status(.ok) }) {
            $0.authentication = .basic(username: "a:b", password: "c")
        }
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "x").void() }
        guard case .invalidRequest = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(
        "Credentials are sent only to the base URL's origin unless other origins are configured",
        arguments: kinds.indices)
    func origins(kind: Int) async throws {
        struct Elsewhere: NetworkRouter {
            var base: String
            var baseURLString: String { base }
        }
        let bases = [
            ("https://api.test/v1", true), ("https://api.test:443", true), ("https://other.test", false),
            ("http://api.test", false), ("https://api.test:8443", false), ("https://api.test.evil.test", false),
        ]
        let digest = StubResponse.status(.unauthorized).header(
            .wwwAuthenticate, value: "Digest realm=r, nonce=n, qop=auth")
        func carries(_ authentication: Authentication, _ base: String) async throws -> Bool {
            let transport = StubServer { _ in digest }
            let client = APIClient.scripted(transport) {
                $0.authentication = authentication
                $0.validation.statusCodes = StatusCodeSet(200..<500)
            }
            try await client.call(Elsewhere(base: base)).void()
            return transport.requests.contains { request in
                request.header(.authorization) != nil
                    || "\(request.head.headerFields)\(request.url)".contains(Self.secret)
            }
        }
        for (base, isMeant) in bases {
            #expect(try await carries(Self.kinds[kind], base) == isMeant, "\(base)")
            #expect(try await carries(Self.kinds[kind].everywhere(), base))
            let limited = Self.kinds[kind].limited(to: ["https://other.test/x", "nonsense"])
            #expect(try await carries(limited, base) == (base == "https://other.test"), "\(base)")
        }
    }

    @Test("A client without a base URL sends credentials to every origin")
    func noBase() async throws {
        let request = try await sent(.bearer("t"), base: nil, path: "https://any.test/x")
        #expect(request.header(.authorization) == "Bearer t")
    }

    @Test("Credentials follow a dynamic base URL")
    func dynamicBase() async throws {
        let request = try await sent(.bearer("t")) { $0.dynamicBaseURL = { "https://now.test" } }
        #expect(request.url == "https://now.test/x")
        #expect(request.header(.authorization) == "Bearer t")
    }

    @Test("No description, mirror or dump shows a credential", arguments: kinds.indices)
    func redaction(kind: Int) {
        let authentication = Self.kinds[kind]
        var configuration = APIClient.Configuration()
        configuration.authentication = authentication
        let token = AccessToken(Self.secret, refreshToken: Self.secret)
        for text in [
            "\(authentication)", String(reflecting: authentication), dumped(authentication), dumped(configuration),
            "\(configuration)", "\(token)", String(reflecting: token), dumped(token),
        ] {
            #expect(!text.contains(Self.secret))
            #expect(!text.contains(Data("zal:\(Self.secret)".utf8).base64EncodedString()))
        }
    }

    private func dumped(_ value: Any) -> String {
        var text = ""
        dump(value, to: &text)
        return text
    }

    @Test("The error of a request with a key in its query does not show the key")
    func keyInError() async throws {
        let lost = TransportError(.networkConnectionLost, phase: .head, message: "gone")
        let client = APIClient.scripted(StubServer { _ in .failure(lost) }) {
            $0.authentication = .apiKey(Self.secret, name: "key", in: .query)
        }
        let error = try #require(await #expect(throws: NetworkError.self) { try await client.call(.get, "x").void() })
        #expect(!dumped(error).contains(Self.secret))
        #expect(error.context?.url == "https://api.test/x")
    }
}
