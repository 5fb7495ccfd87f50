// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore

/// A requirement for every transport, tested against a server in this process.
///
/// The cases depend on no transport and no test library: a suite per transport runs all of them, and documents why it
/// skips the ones that its transport cannot satisfy. See ``all``.
package struct TransportCase: Sendable, CustomStringConvertible {
    /// The requirement, in words.
    package let name: String
    /// Tests the requirement.
    package let run: @Sendable (any Transport) async throws -> Void

    /// The name.
    package var description: String { name }

    init(_ name: String, run: @escaping @Sendable (any Transport) async throws -> Void) {
        self.name = name
        self.run = run
    }

    /// An error that names the violated requirement.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        init(_ description: String) { self.description = description }
    }

    /// All cases, in the order of the phases of an exchange.
    package static let all: [TransportCase] = requests + responses + streams + failures
}

/// Fails the case if a condition is false.
func require(_ condition: Bool, otherwise message: @autoclosure () -> String) throws {
    if !condition { throw TransportCase.Failure(message()) }
}

/// Fails the case if two values differ.
func require<Value: Equatable>(_ value: Value, is expected: Value, named name: String) throws {
    try require(value == expected, otherwise: "\(name) is \(value), and not \(expected)")
}

/// Returns the TransportError of a closure that must fail.
func refusal(_ body: () async throws -> some Any) async throws -> TransportError {
    do {
        _ = try await body()
    } catch let error as TransportError {
        return error
    }
    throw TransportCase.Failure("nothing was thrown")
}

/// Waits until a condition becomes true; the suite's time limit ends the wait.
func until(_ holds: () -> Bool) async throws {
    try await eventually { holds() }
}
