// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Foundation
import SimorghTesting
import TestSupport

/// A terminal for the command, provided by util-linux's `script`, which every Debian installs.
enum Terminal {
    static let isAvailable = FileManager.default.isExecutableFile(atPath: "/usr/bin/script")

    /// Serves a response, runs the command to fetch it, and returns the terminal's output.
    static func show(
        _ answer: StubResponse, arguments: [String] = [], environment: [String: String] = [:]
    ) async throws -> (text: String, status: Int32) {
        try await MockServer.with { server in
            server.on("/") { _ in answer }
            return try await run(["get", server.url + "/"] + arguments, environment: environment)
        }
    }

    /// Runs the command on a terminal, and returns the terminal's output.
    ///
    /// No argument may contain a single quote.
    static func run(
        _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> (text: String, status: Int32) {
        let command = ([CommandTool.path] + arguments).map { "'\($0)'" }.joined(separator: " ")
        let outcome = try await CommandTool.run(
            ["--quiet", "--return", "--command", command, "/dev/null"],
            environment: ["TERM": "xterm", "NO_COLOR": ""].merging(environment) { $1 },
            program: "/usr/bin/script"
        )
        // The terminal driver ends each line with CR LF.
        return (outcome.text.replacing("\r\n", with: "\n"), outcome.status)
    }
}
#endif
