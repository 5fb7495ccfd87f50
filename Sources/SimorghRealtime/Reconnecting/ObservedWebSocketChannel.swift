// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
import SimorghSupport
import Synchronization

/// A WebSocket channel that reports its messages, pings and its end to observers.
package final class ObservedWebSocketChannel: WebSocketChannel {
    private let base: any WebSocketChannel
    private let observers: [any WebSocketTrafficObserver]
    private let hasEnded = Atomic(false)

    package init(_ base: any WebSocketChannel, observers: [any WebSocketTrafficObserver]) {
        self.base = base
        self.observers = observers
    }

    deinit { reportEnd() }

    package var subprotocol: String? { base.subprotocol }
    package var compression: WebSocketCompression? { base.compression }
    package var response: TransportResponse { base.response }
    package var closure: WebSocketCloseInfo? { base.closure }

    package func receive() async throws(WebSocketError) -> WebSocketMessage? {
        do throws(WebSocketError) {
            let message = try await base.receive()
            if let message { report(.received(message)) } else { reportEnd() }
            return message
        } catch {
            if base.closure != nil { reportEnd() }
            throw error
        }
    }

    package func receiveParts() async throws(WebSocketError) -> WebSocketFragments? {
        do throws(WebSocketError) {
            let parts = try await base.receiveParts()
            if parts != nil { report(.receivingParts) } else { reportEnd() }
            return parts
        } catch {
            if base.closure != nil { reportEnd() }
            throw error
        }
    }

    package func send(_ message: WebSocketMessage) async throws(WebSocketError) {
        report(.sending(message))
        try await base.send(message)
    }

    package func send<Parts: AsyncSequence & Sendable>(
        _ parts: Parts, as kind: WebSocketMessage.Kind
    ) async throws where Parts.Element == Data {
        report(.sendingParts)
        try await base.send(parts, as: kind)
    }

    package func ping(_ payload: Data) async throws(WebSocketError) -> Duration {
        let duration = try await base.ping(payload)
        report(.pong(after: duration))
        return duration
    }

    package func close(code: WebSocketCloseCode, reason: String) async -> WebSocketCloseInfo {
        report(.closing(code, reason: reason))
        let closure = await base.close(code: code, reason: reason)
        reportEnd()
        return closure
    }

    package func drop() {
        base.drop()
        reportEnd()
    }

    private func report(_ traffic: WebSocketTraffic) { for observer in observers { observer.didObserve(traffic) } }

    private func reportEnd() {
        guard !hasEnded.exchange(true, ordering: .acquiringAndReleasing) else { return }
        report(.ended(base.closure))
    }
}
