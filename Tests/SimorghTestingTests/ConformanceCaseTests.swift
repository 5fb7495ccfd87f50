// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghConformance
import SimorghNIO
import Testing

@Suite("Conformance cases for a device", .timeLimit(.minutes(2)))
struct ConformanceCaseTests {
    private static let transport = NIOTransport()

    @Test(
        "Every case that is not a requirement for all transports holds over the engine",
        arguments: ConformanceCase.all.filter { $0.suite != .transport }.map(\.id))
    func holds(id: String) async throws {
        let example = try #require(ConformanceCase.all.first { $0.id == id })
        let result = await example.result(over: Self.transport)
        #expect(result.hasPassed, "\(result)")
    }

    @Test("The ids of all cases are unique, and every group has cases")
    func ids() {
        #expect(Set(ConformanceCase.all.map(\.id)).count == ConformanceCase.all.count)
        #expect(Set(ConformanceCase.all.map(\.suite)) == Set(ConformanceCase.Suite.allCases))
    }

    @Test("A case that takes too long is cancelled, and has failed")
    func limit() async {
        let example = ConformanceCase(.transport, name: "endless") { _ in
            for await _ in AsyncStream<Void>.makeStream().stream {}
            return nil
        }
        let result = await example.result(over: Self.transport, within: .zero)
        #expect(result.outcome == .failed("no result after 0.0 seconds"))
    }

    @Test("A sheet shows failures first, and a repeated case once")
    func sheet() {
        var sheet = ConformanceSheet(system: "tests", transport: "nothing")
        sheet.add(ConformanceResult(id: "A", outcome: .passed(note: nil), duration: .milliseconds(3)))
        sheet.add(ConformanceResult(id: "B", outcome: .passed(note: "a fact"), duration: .seconds(1)))
        sheet.add(ConformanceResult(id: "B", outcome: .failed("a reason"), duration: .seconds(2)))
        #expect(sheet.passed == 1)
        #expect(
            sheet.description == """
                Simorgh on tests, over nothing
                1 of 2 cases passed

                FAIL  B (2000 ms): a reason
                ok    A (3 ms)
                """)
    }
}
