// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import Synchronization

/// Sits where the transport of a chain sits, and opens a connection instead of sending: so that every step of the client
/// has its say in the opening of a WebSocket.
final class WebSocketSeat: Transport {
    private let base: any WebSocketTransport
    private let options: WebSocketLinkOptions
    private let link = Mutex<(any WebSocketLink)?>(nil)
    private let sent = Mutex<TransportRequest?>(nil)

    init(_ base: any WebSocketTransport, _ options: WebSocketLinkOptions) {
        self.base = base
        self.options = options
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let asked = request
        sent.withLock { $0 = asked }
        var options = options
        options.key = request.webSocketKey
        var request = request
        request.head.scheme = WebSocketRequest.webSocketScheme(for: request.head.scheme)
        switch try await base.open(request, options) {
        case .refused(let response): return response
        case .opened(let opened):
            // A step of the user's own may ask twice.
            let earlier = link.withLock { link in
                defer { link = opened }
                return link
            }
            earlier?.drop()
            return opened.response
        }
    }

    /// What was sent last, with all that the steps before gave it; `nil` where nothing was.
    var request: TransportRequest? { sent.withLock { $0 } }

    /// The connection that was opened; given once.
    func take() -> (any WebSocketLink)? { link.withLock { $0.take() } }
}
