// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
package import SimorghCore
import SimorghSupport

/// The header fields of the WebSocket handshake, which the transport adds to an upgrade request.
///
/// The interceptors see a plain GET without them. An interceptor that needs the request as it is sent adds them with
/// ``/SimorghCore/TransportRequest/withUpgradeFields``.
package enum UpgradeFields: UserInfo.Key {
    package static let defaultValue = HTTPFields()
}

extension Interceptor {
    /// Generates the handshake fields for each attempt.
    ///
    /// A key is for one connection only (RFC 6455, section 4.1).
    static func upgradeFields(_ subprotocols: [String], compression: WebSocketCompression?) -> Interceptor {
        Interceptor { request, next in
            var request = request
            var fields = HTTPFields()
            WebSocketHandshake(
                key: WebSocketHandshake.freshKey(), subprotocols: subprotocols, compression: compression
            ).addFields(to: &fields)
            request.options.userInfo[UpgradeFields.self] = fields
            return try await next(request)
        }
    }
}

extension TransportRequest {
    /// The 16 bytes of `Sec-WebSocket-Key` that were generated for the request; `nil` for any other request.
    var webSocketKey: [UInt8]? {
        options.userInfo[UpgradeFields.self][.secWebSocketKey].flatMap { Data(base64Encoded: $0) }.map { Array($0) }
    }

    /// The request with the header fields that the transport adds to an upgrade.
    ///
    /// Any other request is returned unchanged.
    package var withUpgradeFields: TransportRequest {
        let fields = options.userInfo[UpgradeFields.self]
        guard !fields.isEmpty else { return self }
        var request = self
        request.head.headerFields[.connection] = "Upgrade"
        request.head.headerFields[.upgrade] = "websocket"
        for field in fields {
            request.head.headerFields[values: field.name] = []
            request.head.headerFields.append(field)
        }
        return request
    }
}
