// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// The lock file of a token, which gives one task of one process exclusive access.
///
/// The system releases the lock of a process that ends, so the file never stays locked.
struct TokenLock: Sendable {
    /// The time between two attempts to acquire the lock.
    private static let pause = Duration.milliseconds(25)

    /// A lock that a task holds, until its work has ended.
    ///
    /// A task that the work has created, and that outlives it, inherits the value, but not the lock.
    private final class Hold: Sendable {
        let path: String
        let hasEnded = Atomic(false)

        init(_ path: String) { self.path = path }
    }

    /// The locks of the current task.
    @TaskLocal private static var held: [Hold] = []

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
        guard !Self.held.contains(where: { $0.path == path && !$0.hasEnded.load(ordering: .acquiring) }) else {
            return try await work()
        }
        let lock = try await acquire(orThrow: error)
        let hold = Hold(path)
        do {
            let value = try await Self.$held.withValue(Self.held + [hold]) { try await work() }
            hold.hasEnded.store(true, ordering: .releasing)
            await FileQueue.run { () throws(Never) in _ = lock.release() }
            return value
        } catch {
            hold.hasEnded.store(true, ordering: .releasing)
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
