// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The lock file of a token, which gives one task of one process exclusive access.
///
/// The system releases the lock of a process that ends, so the file never stays locked.
struct TokenLock: Sendable {
    /// The time between two attempts to acquire the lock.
    private static let pause = Duration.milliseconds(25)

    /// The paths of the locks that the current task holds.
    @TaskLocal private static var held: [String] = []

    let path: String
    let longestWait: Duration
    let time: TimeSource

    /// Runs work while no other task of any process runs work with this lock; nested work does not wait.
    ///
    /// - Parameters:
    ///   - error: Makes the error if the lock cannot be acquired, from its message.
    ///   - work: The work.
    /// - Returns: The result of the work.
    /// - Throws: The error of the work, or that of the lock.
    func run<Value: Sendable>(
        orThrow error: @Sendable (_ message: String) -> any Error, _ work: @Sendable () async throws -> Value
    ) async throws -> Value {
        guard !Self.held.contains(path) else { return try await work() }
        let lock = try await acquire(orThrow: error)
        do {
            let value = try await Self.$held.withValue(Self.held + [path]) { try await work() }
            await FileQueue.run { () throws(Never) in _ = lock.release() }
            return value
        } catch {
            await FileQueue.run { () throws(Never) in _ = lock.release() }
            throw error
        }
    }

    private func acquire(orThrow error: @Sendable (_ message: String) -> any Error) async throws -> FileLock {
        let deadline = time.deadline(after: longestWait)
        while true {
            do throws(FileLock.LockError) {
                return try await FileQueue.run { [path] () throws(FileLock.LockError) in try FileLock(path) }
            } catch let failure {
                switch failure {
                case .held, .replaced:
                    guard deadline.remaining > .zero else { throw error("is in use by another process; try again") }
                case .openFailed(let code), .lockFailed(let code):
                    throw error("could not be locked: \(String(cString: strerror(code)))")
                }
            }
            try await time.sleep(for: Self.pause)
        }
    }
}
