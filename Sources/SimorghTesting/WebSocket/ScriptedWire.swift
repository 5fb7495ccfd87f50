// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
package import SimorghRealtime
import SimorghSupport
import Synchronization

/// The state that the two ends of a scripted connection share.
package final class ScriptedWire: Sendable {
    private struct State {
        var closure: WebSocketCloseInfo?
        var sent = 0
        var pings = 0
        var answersPings = true
        var answersClose = true
        /// The unreceived client messages, in bytes plus 64 for each.
        var backlog = 0
        /// The client's close frame; `nil` if it has sent none.
        var receivedClose: (code: WebSocketCloseCode, reason: String)?
    }

    private let state = Mutex(State())
    private let maximumBacklog: Int
    /// The client's messages.
    private let toServer = Mailbox<WebSocketMessage>()
    /// Signaled when a waiting client has to check the buffer again.
    private let capacitySignal = AsyncSignal()
    /// The server's messages.
    package let toClient = Mailbox<WebSocketMessage>()
    /// Opens when the connection has ended.
    package let ended = Gate()
    /// Holds the client's sends back until it opens; `nil` if they are not held.
    let writable = Mutex<Gate?>(nil)

    /// Creates an open connection.
    ///
    /// - Parameter maximumBacklog: The size of the buffer, in bytes, at which the client's sends wait.
    package init(maximumBacklog: Int) { self.maximumBacklog = maximumBacklog }

    package var closure: WebSocketCloseInfo? { state.withLock { $0.closure } }
    package var pings: Int { state.withLock { $0.pings } }
    package var receivedClose: (code: WebSocketCloseCode, reason: String)? { state.withLock { $0.receivedClose } }

    package var answersPings: Bool {
        get { state.withLock { $0.answersPings } }
        set { state.withLock { $0.answersPings = newValue } }
    }

    package var answersClose: Bool {
        get { state.withLock { $0.answersClose } }
        set { state.withLock { $0.answersClose = newValue } }
    }

    /// Counts a ping.
    ///
    /// Returns false if it is not answered.
    package func ping() -> Bool {
        state.withLock { state in
            state.pings += 1
            return state.answersPings
        }
    }

    /// Waits until the buffer has room, or the connection is closing.
    package func waitForCapacity() async throws {
        while true {
            let signalCount = capacitySignal.count
            let isFull = state.withLock { state in
                state.backlog >= maximumBacklog && state.closure == nil && state.receivedClose == nil
            }
            guard isFull else { return }
            try await capacitySignal.wait(after: signalCount)
        }
    }

    /// The number of sends that wait for room.
    package var waitingSends: Int { capacitySignal.waiting }

    /// Sends a message of the client.
    package func put(_ message: WebSocketMessage) {
        state.withLock { $0.backlog += Self.weight(message) }
        toServer.put(message)
    }

    /// Receives a message at the server; `nil` if no more will arrive.
    package func take() async throws -> WebSocketMessage? {
        guard let message = try await toServer.take() else { return nil }
        state.withLock { $0.backlog -= Self.weight(message) }
        capacitySignal.ring()
        return message
    }

    private static func weight(_ message: WebSocketMessage) -> Int { message.byteCount + 64 }

    /// Sends the client's close frame.
    package func sendClose(_ code: WebSocketCloseCode, reason: String) {
        let isAnswered: Bool = state.withLock { state in
            guard state.closure == nil, state.receivedClose == nil else { return false }
            state.receivedClose = (code, reason)
            return state.answersClose
        }
        toServer.finish()
        capacitySignal.ring()
        if isAnswered { end(WebSocketCloseInfo(code: code, reason: reason, isClean: true, initiator: .local)) }
    }

    /// Ends the connection, unless it has ended.
    package func end(_ closure: WebSocketCloseInfo) {
        let isFirst = state.withLock { state in
            guard state.closure == nil else { return false }
            state.closure = closure
            return true
        }
        guard isFirst else { return }
        toServer.finish()
        toClient.finish()
        capacitySignal.ring()
        ended.open()
        writable.withLock { $0.take() }?.open()
    }

    /// Ends the connection without a close frame.
    package func endAbnormally(_ message: String, by side: WebSocketCloseInfo.Side) {
        end(
            WebSocketCloseInfo(
                code: .abnormalClosure, isClean: false, initiator: side,
                failure: WebSocketError(.connectionLost, message: message, closeCode: .abnormalClosure)))
    }
}
