// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
import SimorghSupport

/// Writes the messages, pings and close frames of a WebSocket channel to a verbose log.
package struct WebSocketTrafficLog: WebSocketTrafficObserver {
    /// The name of the messages in the log.
    package enum Name: Sendable {
        case webSocket, subscription
    }

    private let log: NetworkLog
    private let name: Name
    private let redactor: Redactor
    private let url: String

    /// Creates a log of a channel; returns `nil` if the log is not verbose.
    package init?(_ log: NetworkLog, name: Name, request: TransportRequest, response: TransportResponse) {
        guard log.level == .verbose else { return nil }
        self.log = log
        self.name = name
        redactor = Redactor(log.rules, request: request).adding(response.head)
        url = redactor.url(request.urlString)
    }

    package func didObserve(_ traffic: WebSocketTraffic) {
        switch traffic {
        case .received(let message):
            switch name {
            case .webSocket: write("websocket received", message: message)
            case .subscription: write("subscription received", message: message)
            }
        case .sending(let message):
            switch name {
            case .webSocket: write("websocket sent", message: message)
            case .subscription: write("subscription sent", message: message)
            }
        case .receivingParts: write("websocket received in parts", message: nil)
        case .sendingParts: write("websocket sent in parts", message: nil)
        case .pong(let duration):
            var entry = log.entry("websocket pong")
            entry.url = url
            entry.facts.append(("after", NetworkLog.milliseconds(duration)))
            log.write(entry)
        case .closing(let code, let reason):
            var entry = log.entry("websocket closing")
            entry.url = url
            entry.facts.append(("code", "\(code)"))
            if !reason.isEmpty { entry.facts.append(("reason", redactor.text(reason))) }
            log.write(entry)
        case .ended: break
        }
    }

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
