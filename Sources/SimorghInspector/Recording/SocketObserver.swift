// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
package import SimorghRealtime
import SimorghSupport

/// Records the messages of a WebSocket, and its end.
package struct SocketObserver: WebSocketTrafficObserver {
    private let call: CallContext.ID
    private let store: InspectorStore
    private let redactor: Redactor

    package init(_ call: CallContext.ID, store: InspectorStore, redactor: Redactor) {
        self.call = call
        self.store = store
        self.redactor = redactor
    }

    package func didObserve(_ traffic: WebSocketTraffic) {
        switch traffic {
        case .sending(let message): append(message, isSent: true)
        case .received(let message): append(message, isSent: false)
        case .sendingParts: append(.parts, isSent: true, size: 0, text: "a message in parts")
        case .receivingParts: append(.parts, isSent: false, size: 0, text: "a message in parts")
        case .pong(let duration):
            append(.pong, isSent: false, size: 0, text: "round-trip time \(duration.shown)")
        case .closing(let code, let reason):
            append(.close, isSent: true, size: 0, text: redactor.text("\(code.rawValue) \(reason)"))
        case .ended(let closure): end(closure)
        }
    }

    private func append(_ message: WebSocketMessage, isSent: Bool) {
        switch message {
        case .text(let text):
            let start = Data(text.utf8.prefix(InspectedMessage.maximumBytes + Redactor.margin))
            let shown = redactor.body(
                start, type: "text/plain", size: Int64(text.utf8.count), upTo: InspectedMessage.maximumBytes)
            append(.text, isSent: isSent, size: text.utf8.count, text: shown.text)
        case .data(let data):
            append(
                .binary, isSent: isSent, size: data.count,
                text: RedactedBody.description(of: "binary", size: Int64(data.count)))
        }
    }

    private func append(_ kind: InspectedMessage.Kind, isSent: Bool, size: Int, text: String) {
        store.change { state, now in
            let limit = state.limits.messages
            state.update(call) { call in
                call.append(InspectedMessage(kind, isSent: isSent, at: now, size: size, text: text), keeping: limit)
                if isSent { call.sentBytes += Int64(size) } else { call.receivedBytes += Int64(size) }
            }
        }
    }

    private func end(_ closure: WebSocketCloseInfo?) {
        let text = closure.map { "closed: \($0.code.rawValue) \($0.reason)" } ?? "released without a close handshake"
        let shown = redactor.text(text)
        let failure = closure?.failure.map { redactor.text("\($0)") }
        store.change { state, now in
            let limit = state.limits.messages
            state.update(call) { call in
                call.append(InspectedMessage(.close, isSent: false, at: now, size: 0, text: shown), keeping: limit)
                call.duration = now - call.start
                call.stage = failure == nil ? .done : .failed
                call.failure = failure
            }
        }
    }
}
