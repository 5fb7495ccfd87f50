// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import TestSupport

/// A requirement that a program checks on the machine on which it runs, for example an app on a device.
///
/// The cases use servers in the process itself, on 127.0.0.1, and need no network. They depend on no test library.
///
/// ```swift
/// for example in ConformanceCase.all {
///     let result = await example.result(over: URLSessionTransport.shared)
///     print(result)
/// }
/// ```
public struct ConformanceCase: Sendable, Identifiable {
    /// A group of cases.
    public enum Suite: String, Sendable, CaseIterable {
        /// The requirements for every transport.
        case transport = "Transport"
        /// WebSockets over the transport: the short form of their suite.
        case webSocket = "WebSocket"
        /// The network monitor.
        case network = "Network monitor"
    }

    /// An error that names the violated requirement.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The group.
    public let suite: Suite
    /// The requirement, in words; unique in its group.
    public let name: String
    /// Checks the requirement, and returns a note for the sheet.
    private let check: @Sendable (any Transport) async throws -> String?

    /// The group and the requirement.
    public var id: String { "\(suite.rawValue): \(name)" }

    package init(_ suite: Suite, name: String, check: @escaping @Sendable (any Transport) async throws -> String?) {
        self.suite = suite
        self.name = name
        self.check = check
    }

    /// All cases, in the order of the groups.
    public static let all: [ConformanceCase] = transport + webSocket + network

    private static let transport = TransportCase.all.map { example in
        ConformanceCase(.transport, name: example.name) { transport in
            try await example.run(transport)
            return nil
        }
    }

    /// Checks the requirement over a transport.
    ///
    /// - Parameters:
    ///   - transport: The transport.
    ///   - limit: The longest time to wait before the case is cancelled and has failed. Default: 30 seconds.
    /// - Returns: The result.
    public func result(over transport: any Transport, within limit: Duration = .seconds(30)) async -> ConformanceResult
    {
        let start = ContinuousClock.now
        let outcome = await outcome(over: transport, within: limit)
        return ConformanceResult(id: id, outcome: outcome, duration: start.duration(to: .now))
    }

    private func outcome(over transport: any Transport, within limit: Duration) async -> ConformanceResult.Outcome {
        let check = check
        return await withTaskGroup { group in
            group.addTask {
                do {
                    return try await ConformanceResult.Outcome.passed(note: check(transport))
                } catch {
                    return .failed("\(error)")
                }
            }
            group.addTask {
                try? await ContinuousClock().sleep(for: limit)
                return .failed("no result after \(limit)")
            }
            defer { group.cancelAll() }
            return await group.next() ?? .failed("not run")
        }
    }
}

/// The result of a ``ConformanceCase``.
public struct ConformanceResult: Sendable, Identifiable, CustomStringConvertible {
    /// The outcome of a case.
    public enum Outcome: Sendable, Hashable {
        /// The requirement holds; some cases report a fact.
        case passed(note: String?)
        /// The requirement is violated, with the reason.
        case failed(String)
    }

    /// The case, by ``ConformanceCase/id``.
    public let id: String
    /// The outcome.
    public let outcome: Outcome
    /// The time that the case took.
    public let duration: Duration

    /// Creates a result.
    ///
    /// - Parameters:
    ///   - id: The case, by ``ConformanceCase/id``.
    ///   - outcome: The outcome.
    ///   - duration: The time that the case took.
    public init(id: String, outcome: Outcome, duration: Duration) {
        self.id = id
        self.outcome = outcome
        self.duration = duration
    }

    /// True if the requirement holds.
    public var hasPassed: Bool {
        if case .passed = outcome { true } else { false }
    }

    /// One line with the outcome, the case, the time, and the note or the reason.
    public var description: String {
        let milliseconds = Int(duration / .milliseconds(1))
        switch outcome {
        case .passed(let note): return "ok    \(id) (\(milliseconds) ms)\(note.map { ": \($0)" } ?? "")"
        case .failed(let reason): return "FAIL  \(id) (\(milliseconds) ms): \(reason)"
        }
    }
}
