// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import Synchronization

/// The connections of a transport that have left HTTP for another protocol, or ask to.
///
/// They are none of the pool's, which does not count them.
final class UpgradeCount: Sendable {
    private struct State {
        var nextID = 0
        var requests: [Int: HTTPRequest] = [:]
    }

    private let state = Mutex(State())

    /// What those that there are now asked for, numbered from 1 as they came.
    var requests: [Int: HTTPRequest] { state.withLock { $0.requests } }

    /// Counts a connection until it is closed.
    ///
    /// - Parameters:
    ///   - channel: The connection.
    ///   - request: What it asks for, of which no field is kept: credentials are not, as long as the connection is.
    func add(_ channel: any Channel, asking request: HTTPRequest) {
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
