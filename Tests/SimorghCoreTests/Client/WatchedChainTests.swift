// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghTesting
import TestSupport
import Testing

@Suite("The chain of a call that is watched", .timeLimit(.minutes(5)))
struct WatchedChainTests {
    /// As it lies in memory: a function in a generic value would be wrapped to be looked at.
    private struct Chain {
        let next: Interceptor.Next

        var bytes: [UInt8] { withUnsafeBytes(of: self) { Array($0) } }
    }

    /// A function that is kept in a lock of any kind of value was wrapped once more each time, and each call cost more than the
    /// one before.
    @Test("It is the very same from call to call, however many have been made")
    func same() async throws {
        let transport = ScriptedTransport()
        transport.on("/x", .text("body"))
        let client = APIClient.scripted(transport)
        let events = client.events()
        var request = try await client.call(.get, "x").request()
        #expect(Chain(next: client.settings.chain(for: request)).bytes.count == 2 * MemoryLayout<Int>.size)
        request.options.call = client.call(.get, "x").plan.context(until: nil, .anywhere)
        let first = Chain(next: client.settings.chain(for: request)).bytes
        for _ in 0..<3 { _ = try await client.call(.get, "x").data() }
        #expect(Chain(next: client.settings.chain(for: request)).bytes == first)
        withExtendedLifetime(events) {}
    }
}
