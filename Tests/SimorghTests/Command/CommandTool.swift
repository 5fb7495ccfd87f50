// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation

/// Runs the command as a process of its own, as a user's shell would.
struct CommandTool {
    /// What a process left behind.
    struct Outcome: Sendable {
        let status: Int32
        let output: Data
        let errors: String

        var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// The folder with the built products, where the tests themselves lie.
    static var folder: URL { Self.testProgram.deletingLastPathComponent() }

    #if os(Linux)
    private static let testProgram = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    #else
    private static let testProgram =
        Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL ?? Bundle.main.bundleURL
    #endif

    static let path = folder.appending(path: "simorgh").path

    /// Runs the command to its end; a cancelled test ends it.
    static func run(
        _ arguments: [String], input: String = "", environment: [String: String] = [:], program: String = path
    ) async throws -> Outcome {
        let running = try RunningTool(arguments, input: input, environment: environment, program: program)
        return try await running.outcome()
    }

    /// Runs a line of a POSIX shell, in which `$simorgh` is the command.
    static func shell(_ line: String, environment: [String: String] = [:]) async throws -> Outcome {
        var environment = environment
        environment["simorgh"] = path
        return try await run(["-c", line], environment: environment, program: "/bin/sh")
    }
}
