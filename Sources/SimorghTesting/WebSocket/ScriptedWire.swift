// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
import Synchronization

/// What the two ends of a scripted connection share.
package final class ScriptedWire: Sendable {
    private struct State {
        var closure: WebSocketClosure?
        var sent = 0
        var pings = 0
        var answersPings = true
        var answersGoodbye = true
        /// Whether the client has said goodbye and waits for the answer.
        var goodbye: (code: WebSocketCloseCode, reason: String)?
    }

    private let state = Mutex(State())
    /// What the client sent.
    package let toServer = Mailbox<WebSocketMessage>()
    /// What the server sent.
    package let toClient = Mailbox<WebSocketMessage>()
    /// Opens when the connection is over.
    package let over = Gate()
    /// Opens when the server sends on.
    let writable = Mutex<Gate?>(nil)

    package init() {}

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

    /// The client says goodbye.
    package func sayGoodbye(_ code: WebSocketCloseCode, _ reason: String) {
        let isAnswered: Bool = state.withLock { state in
            guard state.closure == nil, state.goodbye == nil else { return false }
            state.goodbye = (code, reason)
            return state.answersGoodbye
        }
        toServer.finish()
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
