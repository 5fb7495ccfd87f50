// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
package import SimorghRealtime
import SimorghSupport
import Synchronization

/// What the two ends of a scripted connection share.
package final class ScriptedWire: Sendable {
    private struct State {
        var closure: WebSocketClosure?
        var sent = 0
        var pings = 0
        var answersPings = true
        var answersGoodbye = true
        /// What waits to be received, in bytes and 64 for each message.
        var backlog = 0
        /// Whether the client has said goodbye and waits for the answer.
        var goodbye: (code: WebSocketCloseCode, reason: String)?
    }

    private let state = Mutex(State())
    private let maximumBacklog: Int
    /// What the client sent.
    private let toServer = Mailbox<WebSocketMessage>()
    /// Rung where a client that waits for room looks again.
    private let room = Bell()
    /// What the server sent.
    package let toClient = Mailbox<WebSocketMessage>()
    /// Opens when the connection is over.
    package let over = Gate()
    /// Opens when the server sends on.
    let writable = Mutex<Gate?>(nil)

    /// - Parameter maximumBacklog: How much may wait to be received, in bytes, before the client's sends wait.
    package init(maximumBacklog: Int) { self.maximumBacklog = maximumBacklog }

    package var closure: WebSocketClosure? { state.withLock { $0.closure } }
    package var pings: Int { state.withLock { $0.pings } }
    package var goodbye: (code: WebSocketCloseCode, reason: String)? { state.withLock { $0.goodbye } }

    package var answersPings: Bool {
        get { state.withLock { $0.answersPings } }
        set { state.withLock { $0.answersPings = newValue } }
    }

    package var answersGoodbye: Bool {
        get { state.withLock { $0.answersGoodbye } }
        set { state.withLock { $0.answersGoodbye = newValue } }
    }

    /// Counts a ping; `false` where nobody answers it.
    package func ping() -> Bool {
        state.withLock { state in
            state.pings += 1
            return state.answersPings
        }
    }

    /// Waits until the server has received so much that more can be sent, or there is nobody to send to.
    package func hasRoom() async throws {
        while true {
            let strokes = room.count
            let isFull = state.withLock { state in
                state.backlog >= maximumBacklog && state.closure == nil && state.goodbye == nil
            }
            guard isFull else { return }
            try await room.wait(after: strokes)
        }
    }

    /// How many sends wait for room.
    package var waitingSends: Int { room.waiting }

    /// The client sends a message.
    package func put(_ message: WebSocketMessage) {
        state.withLock { $0.backlog += Self.weight(message) }
        toServer.put(message)
    }

    /// The server receives a message; `nil` where none comes any more.
    package func take() async throws -> WebSocketMessage? {
        guard let message = try await toServer.take() else { return nil }
        state.withLock { $0.backlog -= Self.weight(message) }
        room.ring()
        return message
    }

    private static func weight(_ message: WebSocketMessage) -> Int { message.byteCount + 64 }

    /// The client says goodbye.
    package func sayGoodbye(_ code: WebSocketCloseCode, _ reason: String) {
        let isAnswered: Bool = state.withLock { state in
            guard state.closure == nil, state.goodbye == nil else { return false }
            state.goodbye = (code, reason)
            return state.answersGoodbye
        }
        toServer.finish()
        room.ring()
        if isAnswered { end(WebSocketClosure(code: code, reason: reason, isClean: true, initiator: .local)) }
    }

    /// Ends it, unless it has ended.
    package func end(_ closure: WebSocketClosure) {
        let isFirst = state.withLock { state in
            guard state.closure == nil else { return false }
            state.closure = closure
            return true
        }
        guard isFirst else { return }
        toServer.finish()
        toClient.finish()
        room.ring()
        over.open()
        writable.withLock { $0.take() }?.open()
    }

    /// Ends it without a goodbye.
    package func lose(_ message: String, by side: WebSocketClosure.Side) {
        end(
            WebSocketClosure(
                code: .abnormalClosure, isClean: false, initiator: side,
                failure: WebSocketError(.connectionLost, message: message, closeCode: .abnormalClosure)))
    }
}
