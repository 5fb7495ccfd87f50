// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghRealtime
import Testing

/// The choice of a proxy; the tests of sessions and connections have the rest.
@Suite(.timeLimit(.minutes(5)))
struct SystemProxyTests {
    private static func proxy(_ change: (inout TransportOptions) -> Void) throws -> SystemProxy {
        var options = TransportOptions()
        change(&options)
        let unsupported = { (option: String, reason: String) in
            TransportError(.unknown, phase: .total, message: "\(option): \(reason)", requestMayHaveBeenSent: false)
        }
        let route = try SystemProxy.route(
            options.route, to: "a.example", port: 443, isSecure: true, unsupported: unsupported)
        return try SystemProxy(route, options: options, unsupported: unsupported)
    }

    @Test("The system's proxy is left alone, no proxy is set as none, and a server replaces the system's")
    func servers() throws {
        let system = try Self.proxy { $0.route.proxy = .system }
        #expect(system.servers == nil && !system.isDirect && system.address == nil)
        let direct = try Self.proxy { $0.route.proxy = .none }
        #expect(direct.servers == [] && direct.isDirect && direct.address == nil)
        let bypassed = try Self.proxy { $0.route.proxy = .url("socks5://p", bypass: "example") }
        #expect(bypassed == .direct)
        let server = try Self.proxy { $0.route.proxy = .url("http://zal:a@p:3128") }
        #expect(server.servers?.first?.user == "zal" && !server.isDirect)
    }

    @Test(
        "The text of a proxy has no credentials",
        arguments: [
            ("http://zal:feather@p:3128", "http://p:3128"), ("https://zal:feather@p", "https://p:443"),
            ("socks5h://zal:feather@[::1]", "socks5h://[::1]:1080"),
        ])
    func text(url: String, shown: String) throws {
        let proxy = try Self.proxy { $0.route.proxy = .url(url) }
        #expect(proxy.address == shown)
        var dumped = ""
        dump(proxy, to: &dumped)
        #expect(!dumped.contains("feather") && !"\(proxy)".contains("feather"))
    }

    @Test("Options that the system cannot keep are refused with the reason")
    func refused() {
        let changes: [(String, @Sendable (inout TransportOptions) -> Void)] = [
            ("route.unixSocket", { $0.route.unixSocket = "/tmp/a" }),
            ("route.addresses", { $0.route.addresses = ["*:443": ["127.0.0.1"]] }),
            ("route.localAddress", { $0.route.localAddress = "127.0.0.1" }),
            ("socks5h://", { $0.route.proxy = .url("socks5://p") }),
            ("UTF-8", { $0.route.proxy = .url("http://%FF:a@p") }),
            (
                "HTTPS proxy",
                {
                    $0.route.proxy = .url("https://p")
                    $0.tls.minimumVersion = .tls13
                }
            ),
        ]
        for (text, change) in changes {
            let error = #expect(throws: TransportError.self) { try Self.proxy(change) }
            #expect(error?.message.contains(text) == true)
        }
        let error = #expect(throws: TransportError.self) { try Self.proxy { $0.route.proxy = .url("ftp://p") } }
        #expect(error?.underlying is InvalidRouteError)
    }
}
