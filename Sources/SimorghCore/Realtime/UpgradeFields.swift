// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// The header fields of a WebSocket handshake, which the transport adds to the request of an upgrade.
///
/// The chain handles a plain GET without them; a step that shows the request as it is on the wire adds them with
/// ``TransportRequest/withUpgradeFields``.
package enum UpgradeFields: UserInfo.Key {
    package static let defaultValue = HTTPFields()
}

extension TransportRequest {
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
