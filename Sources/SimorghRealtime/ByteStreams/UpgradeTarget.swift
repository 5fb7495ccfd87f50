// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghCore
import SimorghSupport

/// The request for an upgrade to the WebSocket protocol: its destination and its bytes.
package struct UpgradeTarget: Sendable, Hashable {
    /// True for a connection with TLS.
    package let isSecure: Bool
    /// The name or address in lower case, without the brackets of an IPv6 literal.
    package let host: String
    package let port: Int
    /// The request head as it is sent.
    package let head: Data

    /// Validates a request.
    ///
    /// - Parameter request: The request, with the fields of the handshake.
    /// - Throws: `TransportError` for a request that is invalid without asking a server, and for timeouts of zero.
    package init(_ request: TransportRequest) throws(TransportError) {
        switch request.head.scheme {
        case "ws", "http": isSecure = false
        case "wss", "https": isSecure = true
        default:
            throw TransportError(
                .unsupportedURL, phase: .total,
                message: "this transport speaks ws and wss, not \(request.head.scheme ?? "none")",
                requestMayHaveBeenSent: false)
        }
        guard request.body.isEmpty, request.head.method == .get else {
            throw .invalid(.invalidMethod, message: "an upgrade requires a GET request without a body")
        }
        let authority = request.head.authority ?? ""
        guard let (host, port) = AuthorityReader.split(authority) else {
            throw .invalid(.invalidURL, message: "the URL's host or port is not valid")
        }
        self.host = host
        self.port = port ?? (isSecure ? 443 : 80)
        head = try Self.head(of: request, authority: authority)
        let timeouts = request.options.timeouts
        for (phase, limit) in [
            (TransportError.Phase.total, timeouts.total), (.head, timeouts.head), (.body, timeouts.idle),
        ] {
            if let limit, limit <= .zero { throw .timedOut(phase, after: limit, requestMayHaveBeenSent: false) }
        }
    }

    private static func head(
        of request: TransportRequest, authority: String
    ) throws(TransportError) -> Data {
        let path = request.head.path ?? "/"
        try RequestRules.check(method: "GET", authority: authority, path: path, usesAbsoluteForm: false)
        var known = RequestFields()
        try known.take(request.head.headerFields)
        let host: String
        do {
            host = try HostField.value(in: request.head.headerFields) ?? authority
        } catch {
            throw .invalid(error.reason, message: error.message)
        }
        let fields = known.cookies > 1 ? request.head.headerFields.withOneCookie : request.head.headerFields
        let room = RequestHeadWriter.capacity(
            method: "GET", authority: authority, host: host, path: path, fields: fields)
        let buffer = MessageBuffer()
        buffer.write(atLeast: room) { space in
            var writer = RequestHeadWriter(space)
            writer.writeRequestLine("GET", authority: authority, path: path, host: host, usesAbsoluteForm: false)
            for field in fields where !EngineField.isDropped(field.name.canonicalName) { writer.write(field) }
            writer.write("Connection: Upgrade\r\n")
            writer.write("Upgrade: websocket\r\n\r\n")
            return writer.count
        }
        return buffer.takeData()
    }
}
