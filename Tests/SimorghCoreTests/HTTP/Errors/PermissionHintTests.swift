// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PermissionHintTests {
    private static let apple = Platform.System.allCases.filter { $0 != .other && $0 != .watchOS }

    @Test(
        "An unreachable host of the local network is explained by the key of the permission, where the system has that permission",
        arguments: ["192.168.1.7", "10.0.0.1", "169.254.3.4", "fe80::1", "[fd00::1]", "printer.local", "printer"])
    func local(host: String) {
        for system in Self.apple {
            let hint = PermissionHint.localNetwork(host: host, on: system)
            #expect(hint?.contains("NSLocalNetworkUsageDescription") == true, "\(system)")
        }
        for system in [Platform.System.watchOS, .other] {
            #expect(PermissionHint.localNetwork(host: host, on: system) == nil)
        }
    }

    @Test(
        "Hosts of the internet and this machine need no permission for the local network",
        arguments: [
            "example.com", "93.184.216.34", "2001:db8::1", "localhost", "a.localhost", "127.0.0.1", "::1", "[::1]",
        ])
    func remote(host: String) {
        for system in Self.apple { #expect(PermissionHint.localNetwork(host: host, on: system) == nil) }
    }

    @Test("Only watchOS denies sockets")
    func sockets() {
        #expect(PermissionHint.sockets(on: .watchOS)?.contains("URLSessionTransport") == true)
        for system in Platform.System.allCases where system != .watchOS {
            #expect(PermissionHint.sockets(on: system) == nil)
        }
    }

    @Test("An http URL that App Transport Security blocks is explained by the key that allows its host")
    func transportSecurity() {
        let code = TransportError.Code.appTransportSecurityRequiresSecureConnection
        for host in [nil, "example.com"] {
            let hint = PermissionHint.session(code, host: host, on: .iOS)
            #expect(hint?.contains("NSExceptionDomains in NSAppTransportSecurity") == true)
        }
        for host in ["localhost", "192.168.1.7", "nest.local"] {
            let hint = PermissionHint.session(code, host: host, on: .iOS)
            #expect(hint?.contains("NSAllowsLocalNetworking in NSAppTransportSecurity") == true)
        }
    }

    @Test("A session that cannot connect gets the hint for local hosts only")
    func session() {
        for code in [TransportError.Code.notConnectedToInternet, .cannotConnectToHost] {
            #expect(PermissionHint.session(code, host: "192.168.1.7", on: .iOS) != nil)
            #expect(PermissionHint.session(code, host: "192.168.1.7", on: .other) == nil)
            #expect(PermissionHint.session(code, host: "example.com", on: .iOS) == nil)
            #expect(PermissionHint.session(code, host: nil, on: .iOS) == nil)
        }
        #expect(PermissionHint.session(.timedOut, host: "192.168.1.7", on: .iOS) == nil)
    }
}
