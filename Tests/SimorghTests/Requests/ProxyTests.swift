// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Simorgh
import SimorghNIO
import SimorghTesting
import TestSupport
import Testing

/// squid and microsocks, with one user, zal, and the password feather:1.
@Suite("Proxies", .timeLimit(.minutes(10)))
struct ProxyTests {
    private static let credentials = "zal:feather%3A1@"

    enum Kind: String, CaseIterable, Sendable {
        case http, https, socks5, socks5h

        var witness: Witness {
            switch self {
            case .http: .squid
            case .https: .squidTLS
            case .socks5, .socks5h: .socks
            }
        }

        func url(_ credentials: String) throws -> String {
            let url = try witness.url
            let mark = try #require(url.firstRange(of: "://"))
            return "\(rawValue)://\(credentials)\(url[mark.upperBound...])"
        }
    }

    private static func client(
        _ witness: TLSWitness, _ proxy: String, bypass: String = "", _ transport: NIOTransport = NIOTransport()
    ) -> APIClient {
        var configuration = APIClient.Configuration()
        configuration.tls.trust = .only([witness.file("root.pem")])
        configuration.route.proxy = .url(proxy, bypass: bypass)
        // A generous timeout, because the machine may be busy with other tests.
        configuration.timeouts.connect = .seconds(60)
        return APIClient(configuration: configuration, transport: transport)
    }

    @Test(
        "Each proxy forwards requests in cleartext and over TLS, and its connections are reused",
        arguments: Kind.allCases)
    func passes(kind: Kind) async throws {
        let witness = try await TLSWitness.ask()
        let proxy = try kind.url(Self.credentials)
        let client = Self.client(witness, proxy)
        for turn in 0..<2 {
            let response = try await client.call(.get, "\(Witness.nginx.url)/1m").response().response
            #expect(response.body.count == 1_048_576)
            #expect(response.timings.isReusedConnection == (turn == 1))
            #expect(response.connection?.proxy?.contains("zal") == false)
            let handshake: TLSWitness.Handshake = try await client.get(witness.url("good"))
            #expect(handshake.sni == "localhost")
            let address: TLSWitness.Handshake = try await client.get(witness.url("good", host: "127.0.0.1"))
            #expect(address.version == "TLSv1.3")
        }
        #expect(await client.transportError(try witness.url("wronghost", host: "127.0.0.1"))?.tlsFailure == .wrongHost)
        let body = Data(repeating: 7, count: 300_000)
        let echo = try await client.call(.post, "\(Witness.httpbin.url)/post", body: .bytes(body)).json()
        #expect(echo["headers"]["Proxy-Authorization"].isNull)
        #expect(echo["headers"]["Content-Length"] == .string("300000"))
    }

    @Test(
        "An attempt through a proxy reports its connection, both addresses, phases and byte counts",
        arguments: Kind.allCases, [TransportOptions.HTTPVersion.http1Only, .http2Only])
    func facts(kind: Kind, version: TransportOptions.HTTPVersion) async throws {
        let witness = try await TLSWitness.ask()
        let root = try #require(ProcessInfo.processInfo.environment["SIMORGH_PEERS_ROOT"])
        let proxy = try kind.url("")
        let port = try #require(proxy.split(separator: ":").last)
        var configuration = APIClient.Configuration()
        configuration.tls.trust = .only([.file(root), witness.file("root.pem")])
        configuration.route.proxy = .url(try kind.url(Self.credentials))
        configuration.httpVersion = version
        // A generous timeout, because the machine may be busy with other tests.
        configuration.timeouts.connect = .seconds(60)
        let client = APIClient(configuration: configuration, transport: NIOTransport())
        let url = try Witness.nginxOverHTTP2.url + "/200"
        var ids: Set<UInt64> = []
        for isReused in [false, true] {
            let response = try await client.call(.get, url).response().response
            let (connection, timings) = (try #require(response.connection), response.timings)
            ids.insert(connection.id)
            #expect(connection.applicationProtocol == (version == .http1Only ? "http/1.1" : "h2"))
            #expect(connection.tlsVersion?.hasPrefix("TLSv1.") == true)
            #expect(connection.proxy == proxy)
            #expect(connection.localAddress != nil)
            #expect(connection.remoteAddress?.hasSuffix(":\(port)") == true)
            #expect(timings.isReusedConnection == isReused)
            #expect((timings.connect == nil) == isReused)
            #expect((timings.tls == nil) == isReused)
            // Only with this kind does the client resolve the host.
            if kind == .socks5 { #expect((timings.dns == nil) == isReused) }
            #expect(timings.request != nil && timings.firstByte != nil && timings.body != nil && timings.total != nil)
            #expect(timings.sentBytes > 0 && timings.receivedBytes > 200)
        }
        #expect(ids.count == 1)
    }

    @Test("Proxy credentials are sent only to the proxy", arguments: Kind.allCases)
    func credentials(kind: Kind) async throws {
        let witness = try await TLSWitness.ask()
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let client = Self.client(witness, try kind.url(Self.credentials))
            _ = try await client.call(.get, "\(server.url)/get", headers: ["Proxy-Authorization": "Basic own"]).data()
            #expect(server.requests.first?.header(.proxyAuthorization) == nil)
            #expect(server.requests.first?.head.path == "/get")
        }
    }

    @Test("A proxy that requires credentials is reported: for a tunnel as an error with the proxy's response")
    func unauthorized() async throws {
        let witness = try await TLSWitness.ask()
        for kind in [Kind.http, .https] {
            for credentials in ["", "zal:wrong@"] {
                let client = Self.client(witness, try kind.url(credentials))
                let error = try #require(await client.transportError(witness.url("good")))
                let refusal = try #require(error.underlying as? ProxyError, "\(error)")
                #expect(error.phase == .connect)
                #expect(refusal.response?.status.code == 407)
                #expect(refusal.response?.headerFields[.proxyAuthenticate] == "Basic realm=\"birds\"")
                #expect(!refusal.body.isEmpty)
                #expect(!error.description.contains("wrong"))
                let plain = await #expect(throws: NetworkError.self) {
                    try await client.bytes("\(Witness.nginx.url)/200")
                }
                #expect(plain?.statusCode == 407)
            }
        }
        for credentials in ["", "zal:wrong@"] {
            let client = Self.client(witness, try Kind.socks5h.url(credentials))
            let error = try #require(await client.transportError(witness.url("good")))
            #expect(error.underlying is ProxyError, "\(error)")
            #expect(!error.requestMayHaveBeenSent)
        }
    }

    @Test("A proxy that refuses a request reports the reason")
    func refused() async throws {
        let witness = try await TLSWitness.ask()
        let client = Self.client(witness, try Kind.http.url(Self.credentials))
        let error = try #require(await client.transportError("https://forbidden.example/"))
        #expect((error.underlying as? ProxyError)?.response?.status == .forbidden)
        try await UnreachablePort.with { closed in
            let socks = Self.client(witness, try Kind.socks5h.url(Self.credentials))
            let refusal = await socks.transportError("https://127.0.0.1:\(closed.port)/")?.underlying as? ProxyError
            #expect(refusal?.socksReply == 5)
        }
    }

    @Test("dante, another SOCKS proxy, forwards requests, requires credentials, and reports refused destinations")
    func danted() async throws {
        let witness = try await TLSWitness.ask()
        let authority = try #require(try Witness.danted.url.split(separator: "/").last)
        for kind in [Kind.socks5, .socks5h] {
            let client = Self.client(witness, "\(kind.rawValue)://\(Self.credentials)\(authority)")
            #expect(try await client.bytes("\(Witness.nginx.url)/1m").count == 1_048_576)
            let handshake: TLSWitness.Handshake = try await client.get(witness.url("good"))
            #expect(handshake.sni == "localhost")
            let blocked = await client.transportError("http://127.0.0.2:\(authority.split(separator: ":")[1])/")
            #expect((blocked?.underlying as? ProxyError)?.socksReply == 2)
            for credentials in ["", "zal:wrong@"] {
                let stranger = Self.client(witness, "\(kind.rawValue)://\(credentials)\(authority)")
                let error = await stranger.transportError("\(try Witness.nginx.url)/200")
                #expect(error?.underlying is ProxyError, "\(String(describing: error))")
            }
        }
    }

    @Test("A proxy with an untrusted certificate is refused")
    func untrusted() async throws {
        let witness = try await TLSWitness.ask()
        var configuration = APIClient.Configuration()
        configuration.tls.trust = .only([witness.file("strangerroot.pem")])
        configuration.route.proxy = .url(try Kind.https.url(Self.credentials))
        let client = APIClient(configuration: configuration, transport: NIOTransport())
        let error = try #require(await client.transportError("\(Witness.nginx.url)/200"))
        #expect(error.tlsFailure == .unknownIssuer, "\(error)")
    }

    @Test("An unreachable, silent or invalid proxy is an error in the connect phase")
    func broken() async throws {
        let witness = try await TLSWitness.ask()
        let url = try witness.url("good")
        try await UnreachablePort.with { unreachable in
            let refused = await Self.client(witness, "http://127.0.0.1:\(unreachable.port)").transportError(url)
            #expect(refused?.code == .cannotConnectToHost)
            #expect(refused?.message.contains("the proxy") == true)
        }
        for greeting in ["SSH-2.0-x\r\n\r\n", "\u{5}\u{7F}", ""] {
            let server = try await RawServer { _ in greeting.isEmpty ? [.close] : [.send(greeting), .close] }
            for kind in ["http", "socks5h"] {
                let client = Self.client(witness, "\(kind)://127.0.0.1:\(server.port)").with {
                    $0.timeouts.connect = .seconds(2)
                }
                let error = await client.transportError(url)
                #expect(error?.phase == .connect, "\(String(describing: error))")
                #expect(error?.requestMayHaveBeenSent == false)
            }
        }
        let invalid = await Self.client(witness, "ftp://proxy").transportError(url)
        #expect(invalid?.underlying is InvalidRouteError)
    }

    @Test("Bypassed hosts, and calls with another route, do not use the proxy")
    func bypassed() async throws {
        let witness = try await TLSWitness.ask()
        try await UnreachablePort.with { unreachable in
            let proxy = "http://127.0.0.1:\(unreachable.port)"
            _ = try await Self.client(witness, proxy, bypass: "localhost").bytes(witness.url("good"))
            let client = Self.client(witness, proxy)
            _ = try await client.call(.get, witness.url("good")).with { $0.route = RouteOptions() }.data()
            #expect(await client.transportError(try witness.url("good"))?.code == .cannotConnectToHost)
        }
    }

    #if Command
    @Test("The command accepts proxies, addresses and Unix sockets as curl does")
    func command() async throws {
        let witness = try await TLSWitness.ask()
        let nginx = try Witness.nginx.url
        let (proxy, socks) = (try Witness.squid.url, try Kind.socks5h.url(""))
        let port = try #require(URL(string: nginx)?.port)
        let good = try #require(witness.ports["good"])
        let user = ["--proxy-user", "zal:feather:1"]
        for (arguments, status) in [
            (["get", "\(nginx)/200", "--proxy", proxy] + user, 0), (["get", "\(nginx)/200", "-x", socks] + user, 0),
            (["get", "\(nginx)/200", "--proxy", proxy], 4),
            (["get", "\(nginx)/200", "--proxy", proxy, "--noproxy", "127.0.0.1"], 0),
            (["get", "http://nobody.invalid:\(port)/200", "--resolve", "nobody.invalid:\(port):127.0.0.1"], 0),
            (
                [
                    "get", "https://localhost:\(good)/", "--resolve", "localhost:\(good):127.0.0.1", "--cacert",
                    "\(witness.folder)/root.pem",
                ], 0
            ), (["get", "\(nginx)/200", "--resolve", "x"], 2), (["get", "\(nginx)/200", "--proxy", "ftp://x"], 2),
            (["get", "http://a.example/", "--unix-socket", "/nowhere/a.sock"], 6),
        ] {
            let outcome = try await CommandTool.run(arguments)
            #expect(outcome.status == Int32(status), "\(arguments): \(outcome.errors)")
        }
        let environment = ["http_proxy": proxy, "no_proxy": "", "NO_PROXY": ""]
        #expect(try await CommandTool.run(["get", "\(nginx)/200"], environment: environment).status == 4)
    }
    #endif
}
