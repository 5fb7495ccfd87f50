// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
import SimorghSupport

/// A WebSocket channel that writes its messages, pings and close frames to a verbose log.
package final class LoggingWebSocketChannel: WebSocketChannel {
    /// The name of the messages in the log.
    package enum Name: Sendable {
        case webSocket, subscription
    }

    private let base: any WebSocketChannel
    private let log: NetworkLog
    private let name: Name
    private let redactor: Redactor
    private let url: String

    /// Creates a channel that logs; returns `nil` if the log is not verbose.
    package init?(_ base: any WebSocketChannel, log: NetworkLog, name: Name, request: TransportRequest) {
        guard log.level == .verbose else { return nil }
        self.base = base
        self.log = log
        self.name = name
        redactor = Redactor(log.rules, request: request).adding(base.response.head)
        url = redactor.url(request.urlString)
    }

    package var subprotocol: String? { base.subprotocol }
    package var compression: WebSocketCompression? { base.compression }
    package var response: TransportResponse { base.response }
    package var closure: WebSocketCloseInfo? { base.closure }

    package func receive() async throws(WebSocketError) -> WebSocketMessage? {
        let message = try await base.receive()
        if let message {
            switch name {
            case .webSocket: write("websocket received", message: message)
            case .subscription: write("subscription received", message: message)
            }
        }
        return message
    }

    package func receiveParts() async throws(WebSocketError) -> WebSocketFragments? {
        let parts = try await base.receiveParts()
        if parts != nil { write("websocket received in parts", message: nil) }
        return parts
    }

    package func send(_ message: WebSocketMessage) async throws(WebSocketError) {
        switch name {
        case .webSocket: write("websocket sent", message: message)
        case .subscription: write("subscription sent", message: message)
        }
        try await base.send(message)
    }

    package func send<Parts: AsyncSequence & Sendable>(
        _ parts: Parts, as kind: WebSocketMessage.Kind
    ) async throws where Parts.Element == Data {
        write("websocket sent in parts", message: nil)
        try await base.send(parts, as: kind)
    }

    package func ping(_ payload: Data) async throws(WebSocketError) -> Duration {
        let duration = try await base.ping(payload)
        var entry = log.entry("websocket pong")
        entry.url = url
        entry.facts.append(("after", NetworkLog.milliseconds(duration)))
        log.write(entry)
        return duration
    }

    package func close(code: WebSocketCloseCode, reason: String) async -> WebSocketCloseInfo {
        var entry = log.entry("websocket closing")
        entry.url = url
        entry.facts.append(("code", "\(code)"))
        if !reason.isEmpty { entry.facts.append(("reason", redactor.text(reason))) }
        log.write(entry)
        return await base.close(code: code, reason: reason)
    }

    package func drop() { base.drop() }

    private func write(_ name: StaticString, message: WebSocketMessage?) {
        var entry = log.entry(name)
        entry.url = url
        switch message {
        case .text(let text):
            entry.facts.append(("bytes", "\(text.utf8.count)"))
            entry.body = redactor.body(
                Data(text.utf8.prefix(log.limit + Redactor.margin)), type: nil, size: Int64(text.utf8.count),
                upTo: log.limit)
        case .data(let data):
            entry.facts.append(("bytes", "\(data.count)"))
            entry.body = .opaque(RedactedBody.description(of: "binary", size: Int64(data.count)))
        case nil: break
        }
        log.write(entry)
    }
}
