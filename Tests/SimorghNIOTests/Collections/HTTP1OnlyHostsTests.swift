// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNIO
import Testing

@Suite("What is remembered of a few hosts", .timeLimit(.minutes(5)))
struct HTTP1OnlyHostsTests {
    private static func origin(_ number: Int) -> Origin {
        Origin(isSecure: true, host: "host\(number).test", port: 443, versions: .either)
    }

    @Test("The one that was learnt longest ago makes room, and to learn again changes nothing")
    func room() {
        let memory = HTTP1OnlyHosts()
        #expect(!memory.contains(Self.origin(0)))
        for number in 0..<HTTP1OnlyHosts.most { memory.insert(Self.origin(number)) }
        memory.insert(Self.origin(0))
        for number in 0..<HTTP1OnlyHosts.most { #expect(memory.contains(Self.origin(number))) }
        memory.insert(Self.origin(HTTP1OnlyHosts.most))
        #expect(!memory.contains(Self.origin(0)))
        for number in 1...HTTP1OnlyHosts.most { #expect(memory.contains(Self.origin(number))) }
    }

    @Test("Origins that differ in anything are remembered apart")
    func apart() {
        let memory = HTTP1OnlyHosts()
        memory.insert(Self.origin(0))
        #expect(!memory.contains(Origin(isSecure: true, host: "host0.test", port: 444, versions: .either)))
        #expect(!memory.contains(Origin(isSecure: true, host: "host0.test", port: 443, versions: .http1)))
    }
}
