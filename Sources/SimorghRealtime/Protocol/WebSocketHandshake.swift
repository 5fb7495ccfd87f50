// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
package import HTTPTypes
import SimorghCore
import SimorghSupport

/// The opening of a WebSocket: what is asked, and whether the answer agrees (RFC 6455, section 4).
package struct WebSocketHandshake: Sendable {
    /// What was agreed beside the protocol itself.
    package struct Agreement: Sendable, Hashable {
        package var subprotocol: String?
        package var compression: WebSocketCompression?

        package init(subprotocol: String?, compression: WebSocketCompression?) {
            self.subprotocol = subprotocol
            self.compression = compression
        }
    }

    private static let salt = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

    private let key: String
    private let subprotocols: [String]
    private let compression: WebSocketCompression?

    /// Makes one.
    ///
    /// - Parameters:
    ///   - key: Sixteen bytes that nobody can foresee.
    ///   - subprotocols: What is offered, the best first.
    ///   - compression: What is offered; `nil` for none.
    package init(key: [UInt8], subprotocols: [String] = [], compression: WebSocketCompression? = nil) {
        self.key = Base64.text(key)
        self.subprotocols = subprotocols
        self.compression = compression
    }

    /// Returns a key of the system's generator.
    package static func freshKey() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// What a server answers to a key.
    package static func answer(to key: String) -> String {
        Base64.text(Array(Insecure.SHA1.hash(data: Data((key + salt).utf8))))
    }

    /// Puts the fields of the handshake in the place of those that a request has of that kind.
    package func addFields(to fields: inout HTTPFields) {
        fields[.secWebSocketKey] = key
        fields[.secWebSocketVersion] = "13"
        fields[.secWebSocketAccept] = nil
        fields[.secWebSocketProtocol] = subprotocols.isEmpty ? nil : subprotocols.joined(separator: ", ")
        fields[.secWebSocketExtensions] = compression.map { WebSocketExtensions.offer($0) }
    }

    /// Looks at the answer of a server that agreed (101).
    ///
    /// - Parameter fields: The fields of the answer.
    /// - Returns: What was agreed.
    /// - Throws: ``WebSocketHandshakeFailure`` for an answer that is none to what was asked.
    package func check(_ fields: HTTPFields) throws(WebSocketHandshakeFailure) -> Agreement {
        let upgrade = fields[values: .upgrade]
        guard upgrade.count == 1, upgrade[0].trimmingBlanks.lowercased() == "websocket" else {
            throw WebSocketHandshakeFailure(.upgrade, "the field Upgrade of the answer does not say websocket")
        }
        let connection = fields[values: .connection].flatMap { $0.cut(at: ",") }
        guard connection.contains(where: { $0.trimmingBlanks.lowercased() == "upgrade" }) else {
            throw WebSocketHandshakeFailure(.connection, "the field Connection of the answer does not say Upgrade")
        }
        let accept = fields[values: .secWebSocketAccept]
        guard accept.count == 1, accept[0].trimmingBlanks == Self.answer(to: key) else {
            throw WebSocketHandshakeFailure(
                .accept, "the field Sec-WebSocket-Accept of the answer is \(accept.isEmpty ? "missing" : "wrong")")
        }
        return Agreement(
            subprotocol: try chosen(fields[values: .secWebSocketProtocol]),
            compression: try WebSocketExtensions.agreed(fields[values: .secWebSocketExtensions], to: compression))
    }

    private func chosen(_ values: [String]) throws(WebSocketHandshakeFailure) -> String? {
        guard let first = values.first.map({ String($0.trimmingBlanks) }) else { return nil }
        guard values.count == 1, !first.utf8.contains(UInt8(ascii: ",")) else {
            throw WebSocketHandshakeFailure(
                .subprotocol, "the server chose more than one subprotocol: \(Self.shown(values))")
        }
        guard subprotocols.contains(first) else {
            throw WebSocketHandshakeFailure(
                .subprotocol,
                first.isEmpty
                    ? "the field Sec-WebSocket-Protocol of the answer is empty"
                    : "the server chose the subprotocol \(Self.shown(values)), which was not offered")
        }
        return first
    }

    /// Returns names of subprotocols for a message: without tokens and control characters, cut to a length that a line
    /// has room for.
    private static func shown(_ names: [String]) -> String {
        let names = names.map { LogText.oneLine(String(Redaction.shown(protocols: $0).trimmingBlanks)) }
        return String(names.joined(separator: ", ").prefix(200))
    }
}
