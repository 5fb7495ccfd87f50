// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10)))
struct DigestTests {
    static let origin = WebOrigin("http://www.example.org")

    private func challenge(_ text: String) throws -> DigestChallenge {
        let origin = try #require(Self.origin)
        return try #require(DigestChallenge.strongest(AuthenticationChallenge.parse([text]), origin: origin))
    }

    @Test("The examples of RFC 7616, RFC 2617 and RFC 2069 have the expected responses")
    func examples() throws {
        let text = """
            Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=@, \
            nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
            """
        for (algorithm, response) in [
            ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
            ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        ] {
            let answer = DigestCredentials(
                username: "Mufasa", password: "Circle of Life",
                challenge: try challenge(
                    text.replacingOccurrences(of: "@", with: algorithm)
                        .replacingOccurrences(of: "http-auth\(algorithm)", with: "http-auth@")),
                count: 1, clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")
            #expect(answer.response(method: "GET", target: "/dir/index.html", bodyHash: "") == response)
        }
        let older = DigestCredentials(
            username: "Mufasa", password: "Circle Of Life",
            challenge: try challenge(
                #"Digest realm="testrealm@host.com", qop="auth", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093""#),
            count: 1, clientNonce: "0a4f113b")
        #expect(
            older.response(method: "GET", target: "/dir/index.html", bodyHash: "")
                == "6629fae49393a05397450978507c4ef1")
        let oldest = DigestCredentials(
            username: "Mufasa", password: "CircleOfLife",
            challenge: try challenge(
                #"Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093""#),
            count: 1, clientNonce: "")
        #expect(
            oldest.response(method: "GET", target: "/dir/index.html", bodyHash: "")
                == "1949323746fe6a43ef61f9606e7febea")
    }

    @Test("A user name outside ASCII is sent hashed or escaped if the server requests it")
    func usernames() throws {
        func value(_ parameters: String) throws -> String {
            DigestCredentials(
                username: "Jäsøn Doe", password: "Secret, or not?",
                challenge: try challenge(
                    #"Digest realm="api@example.org", nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", qop="auth""#
                        + parameters),
                count: 1, clientNonce: "NTg6RKcb9boFIAS3KrFK9BGeh+niz/sm"
            ).value(method: "GET", target: "/doe.json", bodyHash: "")
        }
        let hashed = try value(", algorithm=SHA-256, charset=UTF-8, userhash=true")
        #expect(hashed.contains(#"username="5a1a8a47df5c298551b9b42ba9b05835174a5bd7d511ff7fe9191d8e946fc4e7""#))
        #expect(hashed.contains(#"response="06d0c14162099f487a92ebceaf71097534ee5f90d858386449c337ab69f7f6b8""#))
        #expect(hashed.contains("userhash=true"))
        #expect(try value(", charset=UTF-8").contains("username*=UTF-8''J%C3%A4s%C3%B8n%20Doe,"))
        #expect(try value("").contains(#"username="Jäsøn Doe""#))
    }

    @Test("Quoted strings are escaped, and the nonce count is eight hexadecimal digits")
    func quoting() throws {
        let answer = DigestCredentials(
            username: #"a"b\c"#, password: "p", challenge: try challenge(#"Digest realm="r\"q\\", nonce=n, qop=auth"#),
            count: 4660, clientNonce: "c")
        let value = answer.value(method: "GET", target: "/?q=1", bodyHash: "")
        #expect(value.contains(#"username="a\"b\\c""#))
        #expect(value.contains(#"realm="r\"q\\""#))
        #expect(value.contains(#"uri="/?q=1""#))
        #expect(value.contains("qop=auth, nc=00001234"))
        #expect(!"\(answer)\(String(reflecting: answer))".contains("\"p\""))
    }

    @Test("The strongest of several challenges is used, in one field or in several")
    func strongest() throws {
        let origin = try #require(Self.origin)
        let md5 = #"Digest realm="m", nonce="1", qop="auth", algorithm=MD5"#
        let sha = #"Digest realm="s", nonce="2", qop="auth,auth-int", algorithm=SHA-256-sess"#
        let unknown = #"Digest realm="u", nonce="3", algorithm=SHA-512-256"#
        let bad = #"Digest realm="b", nonce="4", nonce="5", algorithm=SHA-256"#
        for fields in [["\(md5), \(sha), Basic realm=x"], [unknown, md5, sha], ["Negotiate", sha, md5], [sha, bad]] {
            let best = DigestChallenge.strongest(AuthenticationChallenge.parse(fields), origin: origin)
            #expect(best?.realm == "s", "\(fields)")
            #expect(best?.isSession == true)
            #expect(best?.quality == .auth)
        }
        for none in [[], ["Basic realm=x"], [unknown], ["Digest"]] {
            #expect(DigestChallenge.strongest(AuthenticationChallenge.parse(none), origin: origin) == nil)
        }
    }

    @Test(
        "An empty qop, or one with only unknown options, is handled as in RFC 2069; unknown options are ignored",
        arguments: [
            (#"Digest realm="cam", nonce="abc", qop="", algorithm=MD5"#, nil),
            (#"Digest realm="cam", nonce="abc", qop="other", algorithm=MD5"#, nil),
            (#"Digest realm="cam", nonce="abc", qop="other, auth", algorithm=MD5"#, .auth),
            ("Digest realm=cam, nonce=abc==, domain=/, opaque=", nil),
        ] as [(String, DigestChallenge.Quality?)])
    func qualities(field: String, quality: DigestChallenge.Quality?) throws {
        let origin = try #require(Self.origin)
        let challenge = try #require(
            DigestChallenge.strongest(AuthenticationChallenge.parse([field]), origin: origin))
        #expect(challenge.quality == quality && challenge.realm == "cam" && challenge.nonce.hasPrefix("abc"))
    }

    @Test("The first request is challenged; later ones send credentials with the next nonce count")
    func preemptive() async throws {
        let server = DigestServer()
        let client = server.client(.digest(username: "u", password: "p"))
        for _ in 0..<3 { try await client.call(.get, "x").void() }
        #expect(server.counts == ["00000001", "00000002", "00000003"])
        #expect(server.transport.requestCount == 4)
    }

    @Test(
        "Each algorithm and quality of protection has a correct response",
        arguments: [
            "algorithm=MD5, qop=\"auth\"", "algorithm=SHA-256, qop=\"auth\"",
            "algorithm=MD5-sess, qop=\"auth\"", "algorithm=SHA-256-sess, qop=\"auth\"", "qop=\"auth-int\"",
            "qop=\"\", algorithm=MD5", "algorithm=SHA-256, qop=\"auth-int\"",
            "algorithm=SHA-256-sess, qop=\"auth-int\"", "algorithm=MD5",
        ], [0, 1, 2])
    func algorithms(parameters: String, body: Int) async throws {
        let server = DigestServer(parameters: parameters)
        let client = server.client(.digest(username: "u", password: "p"))
        let bodies: [RequestBody] = [
            .empty, .text("hello"),
            .stream {
                AsyncThrowingStream {
                    $0.yield(Data("hello".utf8)); $0.finish()
                }
            },
        ]
        for _ in 0..<2 { try await client.call(body == 0 ? .get : .post, "x", body: bodies[body]).void() }
        #expect(server.transport.requestCount == 3)
        #expect(server.transport.requests.allSatisfy { $0.text == (body == 0 ? "" : "hello") })
    }

    @Test("A stale nonce is replaced and the request is sent once more")
    func stale() async throws {
        let server = DigestServer()
        let client = server.client(.digest(username: "u", password: "p"))
        try await client.call(.get, "x").void()
        server.state.withLock { $0.nonce = "n2" }
        try await client.call(.get, "x").void()
        #expect(server.counts == ["00000001", "00000001"])
        #expect(server.transport.requestCount == 4)
    }

    @Test("A wrong password fails with the 401 after one response, each time", arguments: [false, true])
    func wrongPassword(freshNonces: Bool) async throws {
        let server = DigestServer(freshNonces: freshNonces)
        let client = server.client(.digest(username: "u", password: "wrong"))
        for turn in 1...2 {
            let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "x").void() }
            #expect(error?.statusCode == 401)
            #expect(server.transport.requestCount == 2 * turn)
        }
    }

    @Test("A server that always reports a stale nonce gets two responses and no more")
    func staleForEver() async throws {
        let transport = StubServer { request in
            .status(.unauthorized).header(
                .wwwAuthenticate, value: #"Digest realm="r", nonce="\#(request.index)", qop="auth", stale=true"#)
        }
        let client = APIClient.scripted(transport) { $0.authentication = .digest(username: "u", password: "p") }
        await #expect(throws: NetworkError.self) { try await client.call(.get, "x").void() }
        #expect(transport.requestCount == 3)
    }

    @Test("A single-use body fails with the first challenge, and succeeds once the server is known")
    func once() async throws {
        let server = DigestServer()
        let client = server.client(.digest(username: "u", password: "p"))
        func body() -> RequestBody {
            .once(
                AsyncThrowingStream {
                    $0.yield(Data("hello".utf8)); $0.finish()
                })
        }
        let error = await #expect(throws: NetworkError.self) { try await client.call(.post, "x", body: body()).void() }
        #expect(error?.statusCode == 401)
        #expect(server.transport.requestCount == 1)
        try await client.call(.get, "x").void()
        try await client.call(.post, "x", body: body()).void()
        #expect(server.transport.requestCount == 4)
    }

    @Test("The nextnonce of the server is used for the next request")
    func nextNonce() async throws {
        let server = DigestServer(next: "n2")
        let client = server.client(.digest(username: "u", password: "p"))
        try await client.call(.get, "x").void()
        server.state.withLock { $0.nonce = "n2" }
        try await client.call(.get, "x").void()
        #expect(server.transport.requestCount == 3)
        #expect(server.counts == ["00000001", "00000001"])
    }

    @Test("100 concurrent calls use no nonce count twice")
    func concurrent() async throws {
        let server = DigestServer()
        let client = server.client(.digest(username: "u", password: "p"))
        try await client.call(.get, "x").void()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { try await client.call(.get, "x").void() } }
            try await group.waitForAll()
        }
        #expect(server.transport.requestCount == 102)
        #expect(Set(server.counts).count == 101)
    }

    @Test("Credentials stay in their protection space and at their origin")
    func spaces() throws {
        var sessions = DigestSessions()
        let origin = try #require(Self.origin)
        let other = try #require(WebOrigin("http://other.example.org"))
        let text = #"Digest realm="r", nonce="n", domain="/a http://www.example.org/b/ http://other.example.org/c""#
        _ = sessions.use(try challenge(text), at: origin) { "c" }
        for (target, isKnown) in [
            ("/a", true), ("/a/x?y", true), ("/a?x", true), ("/ab", false), ("/b/x", true), ("/b", false),
            ("/c", false), ("/", false),
        ] {
            #expect((sessions.use(for: target, at: origin) { "c" } != nil) == isKnown, "\(target)")
            #expect(sessions.use(for: target, at: other) { "c" } == nil)
        }
    }

    @Test("A protection space that begins with a combining mark is kept, and does not become the whole origin")
    func markedSpaces() throws {
        var sessions = DigestSessions()
        let origin = try #require(Self.origin)
        let text = "Digest realm=r, nonce=n, domain=\"/\u{301}a \u{301}/ /b\""
        _ = sessions.use(try challenge(text), at: origin) { "c" }
        for (target, isKnown) in [("/\u{301}a/\u{301}x", true), ("/b/\u{301}x", true), ("/", false), ("/x", false)] {
            #expect((sessions.use(for: target, at: origin) { "c" } != nil) == isKnown, "\(target)")
        }
    }

    @Test("The number of remembered sessions is limited; the least recently used is evicted")
    func bounds() throws {
        var sessions = DigestSessions()
        let origins = try (0...DigestSessions.maximumOrigins).map { try #require(WebOrigin("http://h\($0).test")) }
        for (index, origin) in origins.enumerated() {
            _ = sessions.use(try challenge("Digest realm=r, nonce=n"), at: origin) { "c" }
            if index > 0 { #expect(sessions.use(for: "/", at: origins[0]) { "c" } != nil) }
        }
        #expect(sessions.count == DigestSessions.maximumOrigins)
        #expect(sessions.use(for: "/", at: origins[1]) { "c" } == nil)
        for realm in 0..<20 {
            _ = sessions.use(try challenge("Digest realm=r\(realm), nonce=n"), at: origins[0]) { "c" }
        }
        #expect(sessions.use(for: "/", at: origins[0]) { "c" }?.challenge.realm == "r19")
    }
}
