// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import Synchronization

/// The open connections of a transport that have been upgraded to another protocol, or have requested it.
///
/// They do not belong to the pool, which does not count them.
final class UpgradedConnections: Sendable {
    private struct State {
        var nextID = 0
        var requests: [Int: HTTPRequest] = [:]
    }

    private let state = Mutex(State())

    /// The requests of the open connections, numbered from 1 in order of arrival.
    var requests: [Int: HTTPRequest] { state.withLock { $0.requests } }

    /// Counts a connection until it is closed.
    ///
    /// - Parameters:
    ///   - channel: The connection.
    ///   - request: Its upgrade request. The header fields are not kept, so that credentials do not live as long as the
    ///     connection.
    func add(_ channel: any Channel, request: HTTPRequest) {
        var request = request
        request.headerFields = [:]
        let id = state.withLock { state in
            state.nextID += 1
            state.requests[state.nextID] = request
            return state.nextID
        }
        channel.closeFuture.whenComplete { _ in self.state.withLock { $0.requests[id] = nil } }
    }
}
