// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghNIO
import SimorghTesting
import Testing

/// Many requests over a connection that is slow, lossy or breaks off: results, errors and durations.
///
/// `SIMORGH_FAULT_TABLE=1` prints a table; `scripts/netem` does so if the kernel cannot emulate a bad network.
@Suite("Fault injection: bad networks", .timeLimit(.minutes(10)))
struct FaultTableTests {
    /// A bad network: faults applied to the bytes that the server sends.
    struct Way: Sendable, CustomTestStringConvertible {
        let name: String
        var faults = FaultProxy.Faults()
        /// The timeout of a request.
        var deadline = Duration.seconds(120)
        /// True if every request must be answered.
        var isWhole = true

        var testDescription: String { name }

        init(_ name: String, _ change: (inout Way) -> Void = { _ in }) {
            self.name = name
            change(&self)
        }

        static let all = [
            Way("nothing"),
            Way("rtt-50") { $0.faults.delay = .milliseconds(50) },
            Way("rtt-300") { $0.faults.delay = .milliseconds(300) },
            Way("lossy") {
                $0.faults.delay = .milliseconds(20)
                $0.faults.pauses = .init(every: 150_000, for: .milliseconds(200))
            },
            Way("slow") { $0.faults.bytesPerSecond = 4_000_000 },
            Way("reset") {
                $0.faults.cut = .init(after: 500_000, .reset)
                $0.isWhole = false
            },
            Way("cut") {
                $0.faults.cut = .init(after: 500_000, .stall)
                $0.deadline = .seconds(2)
                $0.isWhole = false
            },
        ]
    }

    private static let requests = 6
    /// The tolerance for a machine that also runs other tests.
    private static let slack = Duration.seconds(60)

    private struct Outcome: Sendable {
        /// The error; `nil` if the request was answered.
        let error: TransportError.Code?
        let time: Duration
    }

    @Test(
        "No request outlasts its deadline, and latency or low bandwidth alone fail no request",
        arguments: Way.all, CutOffTests.Version.allCases)
    func table(way: Way, version: CutOffTests.Version) async throws {
        var configuration = FaultProxy.Configuration()
        configuration.downstream = way.faults
        try await version.with(configuration) { _, request in
            let transport = NIOTransport()
            let asked = try request(way.deadline, .collected(upTo: 2_000_000))
            let clock = ContinuousClock()
            let began = clock.now
            let outcomes = await withTaskGroup(of: Outcome.self) { group in
                for _ in 0..<Self.requests {
                    group.addTask {
                        let start = clock.now
                        let error = await failure {
                            let response = try await transport.send(asked)
                            #expect(response.body.collectedBytes?.count == CutOffTests.Version.size)
                        }
                        return Outcome(error: error?.code, time: start.duration(to: clock.now))
                    }
                }
                var outcomes: [Outcome] = []
                for await outcome in group { outcomes.append(outcome) }
                return outcomes
            }
            let all = began.duration(to: clock.now)
            let answered = outcomes.count { $0.error == nil }
            let longest = outcomes.map(\.time).max() ?? .zero
            #expect(longest <= way.deadline + Self.slack)
            #expect((answered == Self.requests) == way.isWhole)
            Self.show(way, version, outcomes, answered: answered, longest: longest, all: all)
        }
    }

    private static func show(
        _ way: Way, _ version: CutOffTests.Version, _ outcomes: [Outcome], answered: Int, longest: Duration,
        all: Duration
    ) {
        guard ProcessInfo.processInfo.environment["SIMORGH_FAULT_TABLE"] != nil else { return }
        let errors = Dictionary(grouping: outcomes.compactMap { $0.error?.description }) { $0 }
            .map { "\($0.value.count) × \($0.key)" }.sorted().joined(separator: ", ")
        let bytes = Double(answered * CutOffTests.Version.size)
        let rate = bytes / 1_048_576 / (all / .seconds(1))
        print(
            "| \(way.name) | Simorgh, \(version.rawValue), fault proxy | \(answered) of \(outcomes.count) "
                + "| \(errors.isEmpty ? "–" : errors) | \(tenths(longest / .seconds(1))) | \(tenths(rate)) MiB/s |")
    }

    private static func tenths(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }
}
