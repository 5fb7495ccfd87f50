// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport
import SimorghTesting
public import Testing

/// A trait that provides a transport for the task of each test: `.stubbed`, `.cassette` or `.transport`.
///
/// A suite applies it to each of its tests. Of several such traits only the innermost one has an effect: a test's trait
/// replaces that of its suite. If the test fails, its exchanges are attached to the report as `exchanges.har`, with
/// credentials hidden.
public struct TransportTrait: TestTrait, SuiteTrait, TestScoping {
    /// The transport of a test, and what belongs to it.
    struct Setup: Sendable {
        var transport: any Transport
        var baseURL: String
        var stubs: StubServer?
        var cassette: Cassette?
        /// The rules for the attached exchanges.
        var redaction = RedactionRules.standard
        /// Checks, after a test that has not thrown, that all that it expected has happened.
        var finish: @Sendable () throws -> Void = {}
    }

    /// Stores a HAR file for the report of a test.
    package typealias Report = @Sendable (_ file: [UInt8], _ test: Test) -> Void

    /// The base URL of relative paths, unless the trait names another.
    static let defaultBaseURL = "https://api.test"
    /// The largest part of each body in the attached file, in bytes.
    package static let maximumBodyBytes = 64 * 1024
    /// The largest size of all bodies in the attached file, in bytes.
    package static let maximumBytes = 8 * 1024 * 1024
    /// The largest number of exchanges in the attached file; older ones are dropped.
    package static let maximumEntries = 200

    /// Identifies the trait among those of a test.
    private let id = UUID()
    private let setUp: @Sendable (Test) async throws -> Setup
    package var report: Report = TransportTrait.attach

    init(setUp: @escaping @Sendable (Test) async throws -> Setup) { self.setUp = setUp }

    /// True: each test of a suite gets a scope of its own.
    public var isRecursive: Bool { true }

    /// Runs a test with its transport.
    ///
    /// - Parameters:
    ///   - test: The test.
    ///   - testCase: Its case.
    ///   - function: Runs the test.
    /// - Throws: The error of the test; that of the trait if its transport cannot be created, or if a stubbed response
    ///   or a recorded exchange was not used.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let owner = TestScope.Owner(trait: id, test: test.id)
        // The same value may be a trait of a suite and of its test; that is one trait.
        guard !isReplaced(in: test), TestScope.current?.owner != owner else { return try await function() }
        let setup = try await setUp(test)
        let recorder = HARRecorder(
            redaction: setup.redaction, maximumEntries: Self.maximumEntries,
            maximumBodyBytes: Self.maximumBodyBytes, maximumBytes: Self.maximumBytes)
        let scope = TestScope(setup, recorder: recorder, owner: owner)
        let failure = FailureFlag()
        do {
            try await failure.trait.provideScope(for: test, testCase: testCase) {
                try await scope.run {
                    try await function()
                    try setup.finish()
                }
            }
        } catch {
            // The error of the test is more important than one of the export.
            try? attachExchanges(of: recorder, to: test)
            throw error
        }
        if failure.isSet { try attachExchanges(of: recorder, to: test) }
    }

    /// Returns true if another trait of this type is closer to the test: a test has the traits of its suites first.
    private func isReplaced(in test: Test) -> Bool {
        let ids = test.traits.compactMap { ($0 as? TransportTrait)?.id }
        return ids.contains(id) && ids.last != id
    }

    private func attachExchanges(of recorder: HARRecorder, to test: Test) throws {
        guard recorder.count > 0 else { return }
        report([UInt8](try recorder.export()), test)
    }

    private static func attach(_ file: [UInt8], to test: Test) {
        Attachment<[UInt8]>.record(file, named: "exchanges.har", sourceLocation: test.sourceLocation)
    }
}

/// Notes that a test has recorded a failure.
final class FailureFlag: Sendable {
    private let flag = AtomicFlag()

    /// True once the test has recorded a failure.
    var isSet: Bool { flag.isSet }

    /// The trait that notes failures, and passes them on unchanged.
    var trait: IssueHandlingTrait {
        .compactMapIssues { issue in
            if Self.isFailure(issue) { self.flag.set() }
            return issue
        }
    }
}

#if compiler(>=6.3)
extension FailureFlag {
    /// Returns false for a warning.
    private static func isFailure(_ issue: Issue) -> Bool { issue.isFailure }
}
#else
extension FailureFlag {
    /// Returns true: before Swift 6.3, no public API tells a failure from a known issue or a warning.
    ///
    /// So the exchanges of a test that succeeds with one of these are attached, too.
    private static func isFailure(_ issue: Issue) -> Bool { true }
}
#endif
