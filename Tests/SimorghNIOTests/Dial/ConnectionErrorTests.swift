// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import NIOCore
import SimorghCore
import SimorghNIO
import SimorghSupport
import Testing

@Suite("Errors of connections that were not established", .timeLimit(.minutes(5)))
struct ConnectionErrorTests {
    private static func error(_ code: CInt, host: String, on system: Platform.System) -> TransportError {
        let cause = IOError(errnoCode: code, reason: "connect")
        return .connecting(
            DialError(kind: .unreachable, causes: [cause]), to: Origin(isSecure: false, host: host, port: 80),
            limit: .seconds(1), on: system)
    }

    @Test("EHOSTUNREACH of a local host names the permission on Apple platforms, and nothing else does")
    func localNetwork() {
        let key = "NSLocalNetworkUsageDescription"
        for system in [Platform.System.iOS, .macOS, .tvOS, .visionOS] {
            let error = Self.error(EHOSTUNREACH, host: "192.168.1.7", on: system)
            #expect(error.code == .cannotConnectToHost)
            #expect(error.message.hasPrefix("192.168.1.7:80 cannot be reached; ") && error.message.contains(key))
            #expect(!Self.error(ECONNREFUSED, host: "192.168.1.7", on: system).message.contains(key))
            #expect(!Self.error(EHOSTUNREACH, host: "example.com", on: system).message.contains(key))
        }
        #expect(Self.error(EHOSTUNREACH, host: "192.168.1.7", on: .other).message == "192.168.1.7:80 cannot be reached")
    }

    @Test("watchOS: a denied socket is explained", arguments: [ENETDOWN, ENETUNREACH, EHOSTUNREACH])
    func watch(code: CInt) {
        #expect(Self.error(code, host: "example.com", on: .watchOS).message.contains("TN3135"))
        #expect(!Self.error(code, host: "example.com", on: .iOS).message.contains("TN3135"))
        #expect(!Self.error(code, host: "example.com", on: .other).message.contains("TN3135"))
    }
}
