// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNIO
import Testing

@Suite("HTTP1OnlyHosts", .timeLimit(.minutes(5)))
struct HTTP1OnlyHostsTests {
    private static func origin(_ number: Int) -> Origin {
        Origin(isSecure: true, host: "host\(number).test", port: 443, versions: .either)
    }

    @Test("The least recently added origin is evicted, and adding one again does not change its age")
    func room() {
        let memory = HTTP1OnlyHosts()
        #expect(!memory.contains(Self.origin(0)))
        for number in 0..<HTTP1OnlyHosts.maximumCount { memory.insert(Self.origin(number)) }
        memory.insert(Self.origin(0))
        for number in 0..<HTTP1OnlyHosts.maximumCount { #expect(memory.contains(Self.origin(number))) }
        memory.insert(Self.origin(HTTP1OnlyHosts.maximumCount))
        #expect(!memory.contains(Self.origin(0)))
        for number in 1...HTTP1OnlyHosts.maximumCount { #expect(memory.contains(Self.origin(number))) }
    }

    @Test("Origins that differ in any property are separate entries")
    func apart() {
        let memory = HTTP1OnlyHosts()
        memory.insert(Self.origin(0))
        #expect(!memory.contains(Origin(isSecure: true, host: "host0.test", port: 444, versions: .either)))
        #expect(!memory.contains(Origin(isSecure: true, host: "host0.test", port: 443, versions: .http1)))
    }
}
