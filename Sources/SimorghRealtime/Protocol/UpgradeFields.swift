// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
package import SimorghCore
import SimorghSupport

/// The header fields of a WebSocket handshake, which the transport adds to the request of an upgrade.
///
/// The chain handles a plain GET without them; a step that shows the request as it is on the wire adds them with
/// ``/SimorghCore/TransportRequest/withUpgradeFields``.
package enum UpgradeFields: UserInfo.Key {
    package static let defaultValue = HTTPFields()
}

extension Interceptor {
    /// Chooses the fields of the handshake for each attempt: a key is for one connection (RFC 6455, section 4.1).
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
    /// The sixteen bytes of the field `Sec-WebSocket-Key` that were chosen for the request; `nil` for none.
    var webSocketKey: [UInt8]? {
        options.userInfo[UpgradeFields.self][.secWebSocketKey].flatMap { Data(base64Encoded: $0) }.map { Array($0) }
    }

    /// Returns the request with the header fields that the transport adds to an upgrade; any other request is returned
    /// as it is.
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
