// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The registration of an observer: keeps the connection alive, and removes the observer when it is released.
final class WebSocketObserverHandle: Sendable {
    private let connection: WebSocketConnection
    private let hub: WebSocketEventBroadcaster
    private let id: Int

    init(of connection: WebSocketConnection, hub: WebSocketEventBroadcaster, bounds: WebSocketBuffer?) {
        self.connection = connection
        self.hub = hub
        id = hub.add(bounds)
    }

    deinit { hub.remove(id) }

    var dropped: Int { hub.dropped(id) }

    var reason: WebSocketError? { hub.reason(id) }

    func next() async throws(WebSocketError) -> WebSocketEvent? { try await hub.next(id) }
}
