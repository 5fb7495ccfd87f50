// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
package import SimorghSupport

/// Opens WebSockets over byte streams that something else connects: `NWConnection` on Apple platforms, a socket or a pipe
/// in tests.
package struct ByteStreamWebSocketTransport: WebSocketTransport {
    /// Opens a stream to the host and port of a target, with TLS if it is secure.
    ///
    /// It keeps the timeouts `connect` and `tls`, and stops soon after its task is cancelled.
    package typealias Connect =
        @Sendable (_ target: UpgradeTarget, _ options: TransportOptions) async throws(TransportError) -> any ByteStream

    private let time: TimeSource
    private let connect: Connect

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - time: The clock.
    ///   - connect: Opens a stream.
    package init(time: TimeSource = .system, connect: @escaping Connect) {
        self.time = time
        self.connect = connect
    }

    package func open(
        _ request: TransportRequest, options: WebSocketChannelOptions
    ) async throws(TransportError) -> WebSocketOpenResult {
        try await ByteStreamUpgrade(request, channelOptions: options, time: time, connect: connect).outcome().get()
    }
}
