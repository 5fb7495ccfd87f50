// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghRealtime
import SimorghURLSession
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SessionKeyTests {
    private static let pin = "sha256/" + String(repeating: "A", count: 43) + "="

    private static func key(
        _ authority: String = "a.example", scheme: String = "https", capabilities: SessionCapabilities = .apple,
        _ change: (inout TransportOptions) -> Void
    ) throws -> SessionKey {
        var request = TransportRequest(
            head: HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/"))
        change(&request.options)
        return try SessionKey(request, capabilities: capabilities)
    }

    /// Returns the name of the unsupported option; `nil` if every option is supported.
    private static func refusal(
        capabilities: SessionCapabilities = .apple, _ change: (inout TransportOptions) -> Void
    ) -> String? {
        do {
            _ = try key(capabilities: capabilities, change)
            return nil
        } catch {
            let cause = (error as? TransportError)?.underlying as? UnsupportedByURLSessionError
            #expect(cause?.reason.contains("import SimorghNIO and give the client NIOTransport.shared") == true)
            return cause?.option
        }
    }

    @Test("Requests with default options share a session, and those with other TLS options have one per host")
    func tls() throws {
        #expect(try Self.key { _ in } == SessionKey())
        let pins = [TLSPins(host: "*", keys: [Self.pin], needsBackup: false)]
        let pinned = try Self.key { $0.tls.pins = pins }
        #expect(pinned != SessionKey())
        #expect(try Self.key("A.example:443") { $0.tls.pins = pins } == pinned)
        #expect(try Self.key("b.example") { $0.tls.pins = pins } != pinned)
        #expect(try Self.key(scheme: "http") { $0.tls.pins = pins } == SessionKey())
        #expect(try Self.key("[::1]:8443") { $0.tls.pins = pins }.host == "::1")
    }

    @Test("Identities of the keychain that are equal share a session, even if each request has an object of its own")
    func keychain() throws {
        func identity(_ name: String) -> TLSIdentity { TLSIdentity(KeychainIdentity(name)) }
        let key = try Self.key { $0.tls.identity = identity("a") }
        #expect(try Self.key { $0.tls.identity = identity("a") } == key)
        #expect(try Self.key { $0.tls.identity = identity("b") } != key)
        #expect(Set([identity("a"), identity("a"), identity("b")]).count == 2)
    }

    @Test("The rules for hosts are resolved first")
    func rules() throws {
        var pinned = TLSOptions()
        pinned.minimumVersion = .tls13
        let options = pinned
        let change: (inout TransportOptions) -> Void = { $0.tls.rules = [TLSRule(host: "a.example", options: options)] }
        #expect(try Self.key("a.example", change).tls == pinned)
        #expect(try Self.key("b.example", change) == SessionKey())
    }

    @Test("Invalid options fail as with the engine")
    func invalid() {
        let faults: [@Sendable (inout TransportOptions) -> Void] = [
            { $0.tls.pins = [TLSPins(host: "*", keys: ["nothing"])] },
            { ($0.tls.minimumVersion, $0.tls.maximumVersion) = (.tls13, .tls12) },
        ]
        for change in faults {
            let error = #expect(throws: TransportError.self) { try Self.key("a.example", change) }
            #expect(error?.underlying is TLSOptionsError)
        }
        let error = #expect(throws: TransportError.self) { try Self.key { $0.route.proxy = .url("ftp://a") } }
        #expect(error?.underlying is InvalidRouteError)
    }

    @Test("Apple's sessions reject what they cannot do by name")
    func apple() {
        #expect(Self.refusal { $0.tls.serverName = "b.example" } == "tls.serverName")
        #expect(Self.refusal { $0.tls.identity = TLSIdentity(certificates: .text("")) } == "tls.identity")
        #expect(Self.refusal { $0.tls.identity = TLSIdentity(pkcs12: .data(Data()), passphrase: "") } == nil)
        #expect(Self.refusal { $0.route.unixSocket = "/tmp/a" } == "route.unixSocket")
        #expect(Self.refusal { $0.route.localAddress = "127.0.0.1" } == "route.localAddress")
        #expect(Self.refusal { $0.route.addresses = ["*:443": ["127.0.0.1"]] } == "route.addresses")
        #expect(Self.refusal { $0.route.addresses = ["other.example:443": ["127.0.0.1"]] } == nil)
        #expect(Self.refusal { $0.route.proxy = .url("socks5://proxy:1080") } == "route.proxy")
        #expect(Self.refusal { $0.route.proxy = .url("http://%FF:a@proxy:3128") } == "route.proxy")
        let refusal = Self.refusal {
            $0.route.proxy = .url("https://proxy")
            $0.tls.minimumVersion = .tls13
        }
        #expect(refusal == "route.proxy")
    }

    @Test("A proxy of the options becomes the session's, unless its bypass list names the host")
    func proxies() throws {
        #expect(try Self.key { $0.route.proxy = .system }.proxy == .system)
        #expect(try Self.key { $0.route.proxy = .none }.proxy == .direct)
        let (system, direct) = try (Self.key { $0.route.proxy = .system }, Self.key { $0.route.proxy = .none })
        #expect(system.proxy.servers == nil && system.proxyDictionary == nil)
        #expect(direct.proxy.servers == [] && direct.proxyDictionary == [:])
        #expect(try Self.key { $0.route.proxy = .url("http://p:3128", bypass: ".example") }.proxy == .direct)
        #expect(try Self.key("10.1.2.3") { $0.route.proxy = .url("http://p", bypass: "10.0.0.0/8") }.proxy == .direct)
        typealias Server = SystemProxy.ProxyServer
        let servers: [(String, Server)] = [
            (
                "http://zal:a%40b@p:3128",
                Server(kind: .http, host: "p", port: 3128, user: "zal", password: "a@b")
            ),
            ("https://p", Server(kind: .https, host: "p", port: 443, user: nil, password: "")),
            ("socks5h://[::1]:9", Server(kind: .socks5, host: "::1", port: 9, user: nil, password: "")),
        ]
        for (url, server) in servers {
            #expect(try Self.key { $0.route.proxy = .url(url) }.proxy == .server(server))
            #expect(try Self.key { $0.route.proxy = .url(url) }.proxy.servers == [server])
        }
    }

    @Test("FoundationNetworking has no TLS options, and each of them is rejected by name")
    func foundationNetworking() {
        let capabilities = SessionCapabilities.linux
        let changes: [String: @Sendable (inout TLSOptions) -> Void] = [
            "trust": { $0.trust = .only([]) }, "additionalRoots": { $0.additionalRoots = ["a"] },
            "pins": { $0.pins = [TLSPins(host: "*", keys: [Self.pin], needsBackup: false)] },
            "identity": { $0.identity = TLSIdentity(pkcs12: .data(Data()), passphrase: "") },
            "minimumVersion": { $0.minimumVersion = .tls13 }, "maximumVersion": { $0.maximumVersion = .tls12 },
            "serverName": { $0.serverName = "b.example" },
            "evaluation": { $0.evaluation = .afterVerification { _ in } },
        ]
        for (name, change) in changes {
            #expect(Self.refusal(capabilities: capabilities) { change(&$0.tls) } == "tls.\(name)")
        }
        #expect(Self.refusal(capabilities: capabilities) { $0.route.proxy = .url("http://p:3128") } == "route.proxy")
    }

    @Test("FoundationNetworking connects directly only if the environment names no proxy")
    func environment() throws {
        for usesProxy in [true, false] {
            var capabilities = SessionCapabilities.linux
            capabilities.usesSystemProxy = { _, _ in usesProxy }
            #expect(
                Self.refusal(capabilities: capabilities) { $0.route.proxy = .none } == (usesProxy ? "route.proxy" : nil)
            )
            #expect(Self.refusal(capabilities: capabilities) { $0.route.proxy = .system } == nil)
        }
    }
}
