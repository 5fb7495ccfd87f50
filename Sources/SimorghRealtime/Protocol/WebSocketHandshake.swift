// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
package import HTTPTypes
package import SimorghCore
import SimorghSupport

/// The opening handshake: creates the request fields and validates the response (RFC 6455, section 4).
package struct WebSocketHandshake: Sendable {
    /// The subprotocol and the compression that the server selected.
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

    /// Creates a handshake.
    ///
    /// - Parameters:
    ///   - key: 16 unpredictable bytes.
    ///   - subprotocols: The subprotocols to offer, in order of preference.
    ///   - compression: The compression to offer; `nil` for none.
    package init(key: [UInt8], subprotocols: [String] = [], compression: WebSocketCompression? = nil) {
        self.key = Base64.text(key)
        self.subprotocols = subprotocols
        self.compression = compression
    }

    /// Creates the handshake of a request, and adds its fields.
    ///
    /// - Parameters:
    ///   - request: The request; its own field `Sec-WebSocket-Protocol` is used if the options have no subprotocols.
    ///   - options: The options of the connection.
    /// - Throws: `TransportError` for subprotocols that cannot be offered.
    package init(for request: inout TransportRequest, options: WebSocketChannelOptions) throws(TransportError) {
        let offered = options.subprotocols.isEmpty ? request.head.headerFields[.secWebSocketProtocol] : nil
        let subprotocols = offered.map(Self.elements) ?? options.subprotocols
        for name in subprotocols where name.isEmpty || !name.utf8.allSatisfy(HeaderRules.isTokenByte) {
            throw .invalid(.invalidHeader, message: "a subprotocol must be a token (RFC 9110, section 5.6.2)")
        }
        guard Set(subprotocols).count == subprotocols.count else {
            throw .invalid(.invalidHeader, message: "a subprotocol is offered twice")
        }
        self.init(key: options.key ?? Self.freshKey(), subprotocols: subprotocols, compression: options.compression)
        addFields(to: &request.head.headerFields)
    }

    private static func elements(_ value: String) -> [String] {
        value.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } }.filter { !$0.isEmpty }
    }

    /// Returns a new key from the system's random number generator.
    package static func freshKey() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// Returns the `Sec-WebSocket-Accept` value for a key.
    package static func answer(to key: String) -> String {
        Base64.text(Array(Insecure.SHA1.hash(data: Data((key + salt).utf8))))
    }

    /// Replaces the handshake fields of a request.
    package func addFields(to fields: inout HTTPFields) {
        fields[.secWebSocketKey] = key
        fields[.secWebSocketVersion] = "13"
        fields[.secWebSocketAccept] = nil
        fields[.secWebSocketProtocol] = subprotocols.isEmpty ? nil : subprotocols.joined(separator: ", ")
        fields[.secWebSocketExtensions] = compression.map { WebSocketExtensions.offer($0) }
    }

    /// Validates the response of a server that accepted the upgrade (101).
    ///
    /// - Parameter fields: The header fields of the response.
    /// - Returns: The agreed parameters.
    /// - Throws: ``WebSocketHandshakeError`` if the response does not match the request.
    package func check(_ fields: HTTPFields) throws(WebSocketHandshakeError) -> Agreement {
        let upgrade = fields[values: .upgrade]
        guard upgrade.count == 1, upgrade[0].trimmingBlanks.lowercased() == "websocket" else {
            throw WebSocketHandshakeError(.upgrade, description: "the header field Upgrade is not websocket")
        }
        let connection = fields[values: .connection].flatMap { $0.cut(at: ",") }
        guard connection.contains(where: { $0.trimmingBlanks.lowercased() == "upgrade" }) else {
            throw WebSocketHandshakeError(
                .connection, description: "the header field Connection does not contain Upgrade")
        }
        let accept = fields[values: .secWebSocketAccept]
        guard accept.count == 1, accept[0].trimmingBlanks == Self.answer(to: key) else {
            throw WebSocketHandshakeError(
                .accept,
                description: "the header field Sec-WebSocket-Accept is \(accept.isEmpty ? "missing" : "wrong")")
        }
        return Agreement(
            subprotocol: try chosen(fields[values: .secWebSocketProtocol]),
            compression: try WebSocketExtensions.agreed(fields[values: .secWebSocketExtensions], to: compression))
    }

    private func chosen(_ values: [String]) throws(WebSocketHandshakeError) -> String? {
        guard let first = values.first.map({ String($0.trimmingBlanks) }) else { return nil }
        guard values.count == 1, !first.utf8.contains(UInt8(ascii: ",")) else {
            throw WebSocketHandshakeError(
                .subprotocol, description: "the server selected more than one subprotocol: \(Self.shown(values))")
        }
        guard subprotocols.contains(first) else {
            throw WebSocketHandshakeError(
                .subprotocol,
                description: first.isEmpty
                    ? "the header field Sec-WebSocket-Protocol of the response is empty"
                    : "the server selected the subprotocol \(Self.shown(values)), which was not offered")
        }
        return first
    }

    /// Returns names of subprotocols for an error message.
    ///
    /// Tokens and control characters are removed, and the text is truncated to 200 characters.
    private static func shown(_ names: [String]) -> String {
        let names = names.map { LogText.oneLine(String(Redaction.shown(protocols: $0).trimmingBlanks)) }
        return String(names.joined(separator: ", ").prefix(200))
    }
}
