// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghCore
package import SimorghRealtime

/// An upgrade request in the form that a session expects.
///
/// The session adds the key, the version and its extensions by itself. Subprotocols are a header field, because the
/// session's parameter for them allows no other fields.
package struct SessionWebSocketUpgrade: Sendable {
    /// The request, with the scheme `ws` or `wss`.
    package let request: TransportRequest
    /// The subprotocols that it offers, in order of preference.
    package let subprotocols: [String]

    /// Creates an upgrade.
    ///
    /// - Parameters:
    ///   - request: The request, with the scheme `ws`, `wss`, `http` or `https`.
    ///   - options: The options of the connection.
    /// - Throws: `TransportError` for an invalid request, an option that a session does not support, a timeout that is
    ///   zero, or a cancelled task.
    package init(_ request: TransportRequest, options: WebSocketChannelOptions) throws(TransportError) {
        var request = request
        request.head.scheme = WebSocketRequest.httpScheme(for: request.head.scheme)
        try SessionRequestValidation.check(request)
        request.head.scheme = WebSocketRequest.webSocketScheme(for: request.head.scheme)
        let offered = options.subprotocols.isEmpty ? request.head.headerFields[.secWebSocketProtocol] : nil
        subprotocols = offered.map(Self.elements) ?? options.subprotocols
        for name in subprotocols where name.isEmpty || !name.utf8.allSatisfy(HeaderRules.isTokenByte) {
            throw .invalid(
                InvalidRequestError(
                    .invalidHeader, message: "a subprotocol must be a token (RFC 9110, section 5.6.2)"))
        }
        guard Set(subprotocols).count == subprotocols.count else {
            throw .invalid(InvalidRequestError(.invalidHeader, message: "a subprotocol is offered twice"))
        }
        let ofSession: [HTTPField.Name] = [
            .connection, .upgrade, .secWebSocketKey, .secWebSocketVersion, .secWebSocketAccept,
            .secWebSocketExtensions,
        ]
        for name in ofSession { request.head.headerFields[values: name] = [] }
        do throws(InvalidRequestError) {
            request.head.headerFields = try request.head.headerFields.asText()
        } catch {
            throw .invalid(error)
        }
        request.head.headerFields[.secWebSocketProtocol] =
            subprotocols.isEmpty ? nil : subprotocols.joined(separator: ", ")
        // The hint to use HTTP/3 is for requests, and nothing reports to the offline queue that an opening waits.
        (request.options.httpVersion, request.options.connectivityWait) = (.automatic, nil)
        self.request = request
    }

    private static func elements(_ value: String) -> [String] {
        value.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } }.filter { !$0.isEmpty }
    }
}
