// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import TestSupport

/// A server of Tests/Peers in a process of its own, which a test kills or stops and has back on the same port.
struct Victim {
    let port: String
    private let command: [String]
    private var server: ChildProcess

    // The command lacks the port; the server prints the one that it listens on.
    init(_ command: [String]) async throws {
        self.command = command
        server = try ChildProcess(command[0], Array(command.dropFirst()))
        port = try await server.line()
    }

    func signal(_ number: Int32) { server.signal(number) }

    func end() { server.signal(SIGKILL) }

    /// Starts another server after SIGKILL, and lets this one go on after SIGSTOP.
    mutating func comeBack(from signal: Int32) async throws {
        guard signal == SIGKILL else { return server.signal(SIGCONT) }
        _ = try await server.outcome()
        // Somebody else may have been given the port meanwhile, for as long as a connection lasts.
        try await eventually {
            server = try ChildProcess(command[0], Array(command.dropFirst()) + [port])
            return try await server.line() == port
        }
    }
}
