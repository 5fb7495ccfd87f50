// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import Synchronization

/// A transport at the end of the pipeline that opens a WebSocket instead of sending a request.
///
/// This way, all interceptors of the client apply to the opening of a WebSocket.
final class WebSocketUpgradeTransport: Transport {
    private let base: any WebSocketTransport
    private let options: WebSocketChannelOptions
    private let link = Mutex<(any WebSocketChannel)?>(nil)
    private let sent = Mutex<TransportRequest?>(nil)

    init(_ base: any WebSocketTransport, options: WebSocketChannelOptions) {
        self.base = base
        self.options = options
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        sent.withLock { $0 = request }
        var options = options
        options.key = request.webSocketKey
        var upgrade = request
        upgrade.head.scheme = WebSocketRequest.webSocketScheme(for: request.head.scheme)
        switch try await base.open(upgrade, options: options) {
        case .refused(let response): return response
        case .opened(let opened):
            // An application's interceptor may send the request more than once; only the last connection is kept.
            let earlier = link.withLock { link in
                defer { link = opened }
                return link
            }
            earlier?.drop()
            return opened.response
        }
    }

    /// The last request as it reached this transport; `nil` if none did.
    var request: TransportRequest? { sent.withLock { $0 } }

    /// Removes and returns the connection that was opened.
    func take() -> (any WebSocketChannel)? { link.withLock { $0.take() } }
}
