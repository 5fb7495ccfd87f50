// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension CancellationScope {
    /// A running task as a member of a scope.
    private final class TaskMember: Member {
        private let stop: @Sendable () -> Void

        init(_ stop: @escaping @Sendable () -> Void) { self.stop = stop }

        func cancel() { stop() }
    }

    /// Runs an operation in a task of its own, which is cancelled with the scope as well as with the caller's task.
    ///
    /// - Parameter operation: The operation, which should end soon after its task is cancelled.
    /// - Returns: The result of the operation.
    /// - Throws: The error of the operation.
    package func run<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = Task { try await operation() }
        let member = TaskMember { task.cancel() }
        let index = add(member)
        if index == nil { task.cancel() }
        defer { remove(member, from: index) }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
