// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import TestSupport

/// A server of Tests/Peers in its own process, which a test kills or stops and later restores on the same port.
struct RestartableServer {
    let port: String
    private let command: [String]
    private var server: ChildProcess

    // The command has no port argument; the server prints the port that it listens on.
    init(_ command: [String]) async throws {
        self.command = command
        server = try ChildProcess(command[0], arguments: Array(command.dropFirst()))
        port = try await server.line()
    }

    func signal(_ number: Int32) { server.signal(number) }

    func end() { server.signal(SIGKILL) }

    /// Starts a new server after SIGKILL, and resumes this one after SIGSTOP.
    mutating func restartServer(from signal: Int32) async throws {
        guard signal == SIGKILL else { return server.signal(SIGCONT) }
        _ = try await server.outcome()
        // The port may be in use by another connection for a short time.
        try await eventually {
            server = try ChildProcess(command[0], arguments: Array(command.dropFirst()) + [port])
            return try await server.line() == port
        }
    }
}
