// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Synchronization
import TestSupport

/// A process that was started, and what it has written so far.
final class RunningTool: Sendable {
    private let process: Process
    private let output = Pipe()
    private let errors = Pipe()
    private let collected = Mutex(Data())

    init(
        _ arguments: [String], input: String = "", environment: [String: String] = [:],
        program: String = CommandTool.path
    ) throws {
        process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        process.standardError = errors
        let pipe = Pipe()
        process.standardInput = pipe
        try Launch.alone { try process.run() }
        try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try pipe.fileHandleForWriting.close()
    }

    /// Reads the output up to the end of a line.
    func line() async throws -> String {
        try await blocking { [self] in
            var line = Data()
            while let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty {
                collected.withLock { $0.append(byte) }
                if byte == Data([0x0A]) { break }
                line.append(byte)
            }
            return String(decoding: line, as: UTF8.self)
        }
    }

    /// Sends a signal.
    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits for the end.
    func outcome() async throws -> CommandTool.Outcome {
        async let told = blocking { [errors] in try errors.fileHandleForReading.readToEnd() ?? Data() }
        let rest = try await blocking { [output] in try output.fileHandleForReading.readToEnd() ?? Data() }
        let errors = try await told
        return try await blocking { [self] in
            process.waitUntilExit()
            let status =
                process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
            return CommandTool.Outcome(
                status: status,
                output: collected.withLock { $0 } + rest,
                errors: String(decoding: errors, as: UTF8.self)
            )
        }
    }

    /// Waits on a thread that may block; when the test is cancelled, the process is killed and so the waiting ends.
    private func blocking<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread { continuation.resume(with: Result(catching: work)) }
            }
        } onCancel: {
            signal(SIGKILL)
        }
    }
}
