// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// The WebSockets of a session by the identifiers of their tasks, until the tasks have ended.
final class SessionWebSocketRegistry: Sendable {
    private let sockets = Mutex<[Int: SessionWebSocket]>([:])

    /// Adds a WebSocket.
    ///
    /// - Parameters:
    ///   - socket: The WebSocket.
    ///   - identifier: The identifier of its task.
    func add(_ socket: SessionWebSocket, for identifier: Int) { sockets.withLock { $0[identifier] = socket } }

    /// Removes and returns the WebSocket of a task.
    @discardableResult
    func remove(_ identifier: Int) -> SessionWebSocket? { sockets.withLock { $0.removeValue(forKey: identifier) } }

    /// Returns the WebSocket of a task.
    func socket(of identifier: Int) -> SessionWebSocket? { sockets.withLock { $0[identifier] } }

    /// Ends all WebSockets.
    func dropAll() { for socket in sockets.withLock({ $0 }).values { socket.drop() } }

    /// Reports the completion of all tasks.
    ///
    /// - Parameter error: The error that ended the session.
    func completeAll(_ error: any Error) {
        let all = sockets.withLock { sockets in
            defer { sockets = [:] }
            return sockets.values
        }
        for socket in all { socket.completed(error) }
    }
}
