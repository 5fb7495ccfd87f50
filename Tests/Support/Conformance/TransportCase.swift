// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore

/// One thing that every transport has to do, tried against a server of this process.
///
/// The cases know of no transport and of no test library: a suite for each transport runs them all, and says of those
/// that its transport cannot do why. See ``all``.
package struct TransportCase: Sendable, CustomStringConvertible {
    /// What holds, in words.
    package let name: String
    /// Tries it.
    package let run: @Sendable (any Transport) async throws -> Void

    /// The name.
    package var description: String { name }

    init(_ name: String, _ run: @escaping @Sendable (any Transport) async throws -> Void) {
        self.name = name
        self.run = run
    }

    /// What does not hold.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        init(_ description: String) { self.description = description }
    }

    /// All cases, in the order in which an exchange goes.
    package static let all: [TransportCase] = requests + responses + streams + failures
}

/// Fails a case where something does not hold.
func require(_ holds: Bool, _ what: @autoclosure () -> String) throws {
    if !holds { throw TransportCase.Failure(what()) }
}

/// Fails a case where two things differ.
func require<Value: Equatable>(_ value: Value, is expected: Value, _ what: String) throws {
    try require(value == expected, "\(what) is \(value), and not \(expected)")
}

/// The transport's error of something that must fail.
func refusal(_ body: () async throws -> some Any) async throws -> TransportError {
    do {
        _ = try await body()
    } catch let error as TransportError {
        return error
    }
    throw TransportCase.Failure("nothing was thrown")
}

/// Waits until something holds, which it soon does; the suite's own limit ends the wait otherwise.
func until(_ holds: () -> Bool) async throws {
    try await eventually { holds() }
}
