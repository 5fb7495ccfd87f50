// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import TestSupport

/// Runs the command in its own process, as a user's shell would.
enum CommandTool {
    /// The folder with the built products, which also contains the tests.
    static var folder: URL { Self.testProgram.deletingLastPathComponent() }

    #if os(Linux)
    private static let testProgram = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    #else
    private static let testProgram =
        Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL ?? Bundle.main.bundleURL
    #endif

    static let path = folder.appending(path: "simorgh").path

    /// Starts the command.
    static func start(_ arguments: [String]) throws -> ChildProcess { try ChildProcess(path, arguments: arguments) }

    /// Runs the command until it exits; cancelling the test kills it.
    static func run(
        _ arguments: [String], input: String = "", environment: [String: String] = [:], program: String = path
    ) async throws -> ChildProcess.Outcome {
        try await ChildProcess.run(program, arguments: arguments, input: Data(input.utf8), environment: environment)
    }

    /// Runs a line in a POSIX shell, in which `$simorgh` is the command's path.
    static func shell(_ line: String, environment: [String: String] = [:]) async throws -> ChildProcess.Outcome {
        var environment = environment
        environment["simorgh"] = path
        return try await run(["-c", line], environment: environment, program: "/bin/sh")
    }
}
