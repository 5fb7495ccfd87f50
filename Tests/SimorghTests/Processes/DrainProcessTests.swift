// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Foundation
import HTTPTypes
import SimorghTesting
import TestSupport
import Testing

/// A process under load that gets SIGTERM.
@Suite(.timeLimit(.minutes(5)))
struct DrainProcessTests {
    /// Starts the program, and returns it when 8 requests are held back by the server.
    private static func start(_ server: MockServer, gate: Gate, milliseconds: Int) async throws -> ChildProcess {
        server.on(.post, path: "/fast/{worker}/{number}", response: .status(.ok))
        server.on(.post, path: "/held/{worker}/{number}", response: StubResponse.status(.ok).held(by: gate))
        let program = CommandTool.folder.appending(path: "DrainProbe").path
        let process = try ChildProcess(program, arguments: [server.url, "\(milliseconds)"])
        try await gate.waiting(8)
        return process
    }

    @Test("At SIGTERM a process answers for every request that it sent, sends no new one, and exits with 0")
    func drains() async throws {
        try await MockServer.with { server in
            let gate = Gate()
            let process = try await Self.start(server, gate: gate, milliseconds: 60_000)
            process.signal(SIGTERM)
            #expect(try await process.line() == "refused")
            let count = server.requestCount
            let clock = ContinuousClock()
            let start = clock.now
            gate.open()
            let outcome = try await process.outcome()
            #expect(start.duration(to: clock.now) < .seconds(50), "within the grace of 60 seconds")
            #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
            #expect(server.requestCount == count, "no request after the drain has begun")
            let lines = outcome.text.split(separator: "\n").map(String.init)
            #expect(lines.contains("answered \(count) refused 9 lost 0"), "\(outcome.text), \(count) requests")
            #expect(lines.contains("cut 0 sent 0") && lines.last == "ended", "\(outcome.text)")
        }
    }

    @Test("At the end of the grace the process cancels what still runs, and exits with 0")
    func cuts() async throws {
        try await MockServer.with { server in
            let gate = Gate()
            let process = try await Self.start(server, gate: gate, milliseconds: 500)
            let clock = ContinuousClock()
            let start = clock.now
            process.signal(SIGTERM)
            let outcome = try await process.outcome()
            #expect(start.duration(to: clock.now) < .seconds(20), "the grace of half a second, on a slow machine")
            #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
            let lines = outcome.text.split(separator: "\n").map(String.init)
            #expect(lines.contains { $0.hasSuffix("refused 9 lost 8") }, "\(outcome.text)")
            #expect(lines.contains("cut 8 sent 8") && lines.last == "ended", "\(outcome.text)")
            gate.open()
        }
    }
}
#endif
