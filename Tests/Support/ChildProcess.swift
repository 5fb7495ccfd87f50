// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import Foundation
import Synchronization

/// An external program that a test has started, with its standard streams connected to pipes.
///
/// This type replaces Foundation's `Process`: on Linux its `run` walks `/proc/self/fd` and copies 256 bytes for each
/// entry's name, past the end of the directory buffer. In a process with a thousand descriptors that is sometimes past
/// the end of the heap.
package final class ChildProcess: Sendable {
    /// The result of a program.
    package struct Outcome: Sendable {
        /// The exit code, or 128 and the signal's number.
        package let status: Int32
        package let output: Data
        package let errors: String

        package var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// An error from starting a program or creating a pipe.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        init(_ operation: String, code: Int32) { description = "\(operation): \(String(cString: strerror(code)))" }
    }

    private static let starting = Mutex(())

    private let id: pid_t
    private let output: FileHandle
    private let errors: FileHandle
    private let collected = Mutex(Data())
    private let hasEnded = Mutex(false)

    /// Starts a program; a separate thread writes its input.
    ///
    /// Only the start itself runs in `context`, for example in a namespace. Everything that belongs to this process is
    /// created outside of it.
    package init(
        _ program: String, arguments: [String], input: Data = Data(), environment: [String: String] = [:],
        in context: (() throws -> Int32) throws -> Int32 = { try $0() }
    ) throws {
        // No program may start between the creation of another's pipe and its FD_CLOEXEC flag: it would inherit the
        // pipe and keep it open.
        let (feed, output, errors) = try Self.starting.withLock { _ in (try Pipe(), try Pipe(), try Pipe()) }
        let environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, feed.reading.fileDescriptor, 0)
        posix_spawn_file_actions_adddup2(&actions, output.writing.fileDescriptor, 1)
        posix_spawn_file_actions_adddup2(&actions, errors.writing.fileDescriptor, 2)
        id = try Self.withStrings([program] + arguments) { arguments in
            try Self.withStrings(environment.map { "\($0)=\($1)" }) { environment in
                var id = pid_t()
                let failure = try Self.starting.withLock { _ in
                    try context { posix_spawn(&id, program, &actions, nil, arguments, environment) }
                }
                guard failure == 0 else { throw Failure("could not start \(program)", code: failure) }
                return id
            }
        }
        self.output = output.reading
        self.errors = errors.reading
        Thread.detachNewThread { try? feed.writing.write(contentsOf: input) }
    }

    /// Runs a program to its end; cancelling the test kills it.
    package static func run(
        _ program: String, arguments: [String], input: Data = Data(), environment: [String: String] = [:]
    ) async throws -> Outcome {
        try await ChildProcess(program, arguments: arguments, input: input, environment: environment).outcome()
    }

    /// Reads the output up to the end of the line.
    package func line() async throws -> String {
        try await blocking { [self] in
            var line = Data()
            while let byte = try output.read(upToCount: 1), !byte.isEmpty {
                collected.withLock { $0.append(byte) }
                if byte == Data([0x0A]) { break }
                line.append(byte)
            }
            return String(decoding: line, as: UTF8.self)
        }
    }

    /// Sends a signal, unless the program has ended.
    package func signal(_ number: Int32) {
        hasEnded.withLock { hasEnded in
            if !hasEnded { kill(id, number) }
        }
    }

    /// Waits for the program to end.
    package func outcome() async throws -> Outcome {
        async let errorOutput = blocking { [errors] in try errors.readToEnd() ?? Data() }
        let rest = try await blocking { [output] in try output.readToEnd() ?? Data() }
        let errors = String(decoding: try await errorOutput, as: UTF8.self)
        return try await blocking { [self] in
            var status: Int32 = 0
            // WNOWAIT does not reap the process, so its ID stays valid until `hasEnded` blocks further signals.
            var information = siginfo_t()
            while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) == -1, errno == EINTR {}
            hasEnded.withLock { $0 = true }
            while waitpid(id, &status, 0) == -1, errno == EINTR {}
            let signal = status & 0x7F
            return Outcome(
                status: signal == 0 ? status >> 8 & 0xFF : 128 + signal,
                output: collected.withLock { $0 } + rest, errors: errors)
        }
    }

    /// Runs blocking work on a separate thread, since the server that a program talks to needs the tasks' threads.
    ///
    /// Cancelling the test kills the program, which ends the wait.
    private func blocking<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread { continuation.resume(with: Result(catching: work)) }
            }
        } onCancel: {
            signal(SIGKILL)
        }
    }

    /// A pipe that no other program inherits by accident.
    private struct Pipe {
        let reading: FileHandle
        let writing: FileHandle

        init() throws {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { throw Failure("no pipe", code: errno) }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            reading = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
            writing = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
        }
    }

    /// Converts texts to the array of C strings that `posix_spawn` expects.
    private static func withStrings<Value>(
        _ texts: [String], body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) throws -> Value
    ) rethrows -> Value {
        var strings = texts.map { strdup($0) } + [nil]
        defer { for string in strings { free(string) } }
        return try strings.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("the array always ends with nil") }
            return try body(base)
        }
    }
}
