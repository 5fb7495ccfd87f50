// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Simorgh
import SimorghNIO
import SimorghTesting
import TestSupport
import Testing

/// A table of redirects and credentials, against real servers with and without TLS, and the counting server.
@Suite(.timeLimit(.minutes(10)))
struct RedirectCredentialTests {
    /// The redirect's target, seen from the first server over TLS.
    enum Target: String, CaseIterable, Sendable {
        case same, otherHost, otherServer, inTheClear, thereAndBack
    }

    enum Body: String, CaseIterable, Sendable {
        case none, bytes, stream, once

        func make() -> RequestBody {
            switch self {
            case .none: .empty
            case .bytes: .text("secret? no: the body")
            case .stream: .stream(contentType: "text/plain") { Pieces(text: "secret? no: the body") }
            case .once: .once(Pieces(text: "secret? no: the body"), contentType: "text/plain")
            }
        }
    }

    struct Cell: Sendable, CustomStringConvertible {
        let status: Int
        let method: RequestMethod
        let body: Body
        let target: Target
        var description: String { "\(status) \(method) \(body) \(target)" }

        static let all: [Cell] = [301, 302, 303, 307, 308].flatMap { status in
            [RequestMethod.get, .head, .post, .put, .delete].flatMap { method in
                Body.allCases.filter { $0 == .none || method == .post || method == .put }.flatMap { body in
                    Target.allCases.map { Cell(status: status, method: method, body: body, target: $0) }
                }
            }
        }

        var becomesGet: Bool {
            status == 303 && method != .head || (status == 301 || status == 302) && method == .post
        }
        var fails: Bool { body == .once && !becomesGet }
    }

    private static let credentials = [
        "Authorization": "Bearer secret", "Proxy-Authorization": "Basic secret", "Cookie": "own=secret",
        "X-API-Key": "secret", "X-Custom": "secret",
    ]

    /// Returns a policy that trusts only the target server's authority, because both servers have the same host name.
    private static func trusting(_ pem: String, at url: String, else own: String) -> RedirectPolicy {
        .custom { proposal in
            var request = proposal.request
            request.options.tls.additionalRoots = [request.urlString.hasPrefix(url) ? pem : own]
            return .change(request)
        }
    }

    @Test("Redirects: no credential crosses an origin in any cell, and method and body follow RFC 9110")
    func table() async throws {
        let (mainSetup, otherSetup) = (try MockServer.Configuration.secure(), try MockServer.Configuration.secure())
        let roots = (mainSetup.authorityPEM, otherSetup.authorityPEM)
        try await MockServer.with(mainSetup.configuration) { main in
            try await MockServer.with(otherSetup.configuration) { other in
                let plain = try await MockServer.start()
                let servers = [main, other, plain]
                for server in servers { server.addHTTPBinRoutes() }
                let (mainURL, otherURL) = (main.url, other.url)
                let transport = NIOTransport()
                for cell in Cell.all {
                    let end = "/anything/end"
                    let location =
                        switch cell.target {
                        case .same: end
                        case .otherHost: mainURL.replacing("localhost", with: "127.0.0.1") + end
                        case .otherServer: otherURL + end
                        case .inTheClear: plain.url + end
                        case .thereAndBack: "\(otherURL)/redirect-to?status_code=\(cell.status)&url=\(mainURL)\(end)"
                        }
                    var settings = APIClient.Configuration()
                    settings.baseURL = mainURL
                    settings.tls.additionalRoots = [roots.0]
                    settings.redirects = Self.trusting(roots.1, at: otherURL, else: roots.0)
                    settings.cookies = MemoryCookieStore([
                        StoredCookie(name: "jar", value: "secret-jar", domain: "localhost")
                    ])
                    settings.redirects.allowsDowngrade = cell.target == .inTheClear
                    settings.redirects.sensitiveHeaders = ["x-custom"]
                    let before = servers.map(\.requestCount)
                    let call = APIClient(configuration: settings, transport: transport)
                        .call(
                            cell.method, "redirect-to",
                            query: ["status_code": "\(cell.status)", "url": location], headers: Self.credentials,
                            body: cell.body.make())
                    if cell.fails {
                        let error = await #expect(throws: NetworkError.self, "\(cell)") { try await call.void() }
                        let cause = error?.underlyingError as? TransportError
                        #expect((cause?.underlying as? RedirectError)?.reason == .bodyCannotBeSentAgain, "\(cell)")
                        #expect(servers.map(\.requestCount) == [before[0] + 1] + before[1...], "\(cell)")
                        continue
                    }
                    let response = try await call.decoding(.data).response().response
                    #expect(response.redirects.count == (cell.target == .thereAndBack ? 2 : 1), "\(cell)")
                    let ofMain = main.requests.dropFirst(before[0])
                    let requests = zip(servers, before).flatMap { $0.requests.dropFirst($1) }
                    let last = try #require(ofMain.count > 1 ? ofMain.last : requests.last)
                    #expect(last.head.path == end, "\(cell)")
                    #expect(last.method.rawValue == (cell.becomesGet ? "GET" : cell.method.rawValue), "\(cell)")
                    // 303 requests a representation, whatever body was sent.
                    let keepsBody = cell.body != .none && !cell.becomesGet
                    #expect(!last.body.isEmpty == keepsBody, "\(cell)")
                    #expect((last.header(.contentType) == nil) != keepsBody, "\(cell)")
                    #expect(last.header(.referer) == nil, "\(cell)")
                    for request in requests where request.head.path != ofMain.first?.head.path {
                        let secrets = request.head.headerFields.filter {
                            $0.value.replacing("jar=secret-jar", with: "").contains("secret")
                        }
                        #expect(secrets.isEmpty == (cell.target != .same), "\(cell): \(secrets) at \(request.url)")
                        // A cookie belongs to a host, regardless of the port (RFC 6265, section 8.5).
                        let isHome = request.head.authority?.hasPrefix("localhost") == true
                        let hasJar = request.header(.cookie)?.contains("jar=secret-jar") == true
                        #expect(hasJar == isHome, "\(cell) at \(request.url)")
                    }
                }
                await plain.shutdown()
            }
        }
    }

    @Test("Redirects from https to http are refused by default, whatever the method", arguments: [301, 303, 308])
    func downgrade(status: Int) async throws {
        let (configuration, pem) = try MockServer.Configuration.secure()
        try await MockServer.with(configuration) { server in
            server.addHTTPBinRoutes()
            let plain = try await MockServer.start()
            let client = APIClient(baseURL: server.url).with { $0.tls.additionalRoots = [pem] }
            let error = await #expect(throws: NetworkError.self) {
                try await client.call(
                    .post, "redirect-to", query: ["status_code": "\(status)", "url": "\(plain.url)/get"],
                    body: .text("x")
                ).void()
            }
            #expect(
                (error?.underlyingError as? TransportError)?.code == .appTransportSecurityRequiresSecureConnection)
            #expect(server.requestCount == 1 && plain.acceptedConnectionCount == 0)
            await plain.shutdown()
        }
    }

    @Test(
        "Redirects: an independent server at the other origin receives no credentials and the same body",
        arguments: [302, 307, 308])
    func witness(status: Int) async throws {
        let key = CountingReport.newKey()
        let client = APIClient(baseURL: try Witness.counting.url).with { $0.cookies = .memory }
        let answer = try await client.call(
            .post, "a/\(key)",
            query: [
                "status": "\(status),\(status),200",
                "location": "{other}/a/\(key)/2?status=\(status),\(status),200&location={self}/a/\(key)/3?",
                "set-cookie": "sid=secret; Path=/",
            ],
            headers: Self.credentials, body: .text("the body")
        ).decoding(.data).response()
        let report = try await CountingReport.load(key)
        #expect(report.requests.map(\.server) == ["main", "other", "main"])
        #expect(answer.response.attempts == 3)
        for request in report.requests.dropFirst() {
            for name in Self.credentials.keys where name != "X-Custom" && name != "Cookie" {
                #expect(request.values(name).isEmpty, "\(name) at \(request.server)")
            }
            #expect(request.bodySHA256 == report.requests[0].bodySHA256 || status == 302)
            #expect(request.method == (status == 302 ? "GET" : "POST"))
        }
        // Both are 127.0.0.1 and a cookie ignores the port: the jar's own cookie may be sent, the request's may not.
        #expect(report.requests[1].values("Cookie").allSatisfy { !$0.contains("own") })
    }

    @Test("Redirects: an endless body does not delay the redirect, and its connection is closed")
    func endless() async throws {
        let gate = Gate()
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            server.on(.get, path: "/endless") { _ in
                StubResponse.chunks([.bytes(Data(repeating: 0, count: 100_000)), .wait(gate)], status: .found)
                    .header(.location, value: "/get")
            }
            let client = APIClient(baseURL: server.url)
            let stream = try await client.call(.get, "endless").stream()
            #expect(stream.statusCode == 200 && stream.url == "\(server.url)/get")
            _ = try await stream.chunks.collect(upTo: 10_000)
            // The reader sees the end of a body a moment before its exchange leaves the scope.
            try await eventually { client.scope.count == 0 }
            gate.open()
        }
    }
}
