// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An open connection, as the pool and the tasks know it: what it does, it does on its own event loop.
final class WireConnection: Sendable {
    let key: ConnectionKey
    let info: ConnectionInfo
    let channel: any Channel
    let pool: ConnectionPool
    /// How long it took to open; told to the first exchange on it.
    let connectTime: Duration
    let tlsTime: Duration?
    private let eventLoop: any EventLoop
    private let handler: NIOLoopBound<ConnectionHandler>

    /// Called on the connection's loop.
    init(
        key: ConnectionKey,
        info: ConnectionInfo,
        channel: any Channel,
        handler: ConnectionHandler,
        pool: ConnectionPool,
        connectTime: Duration,
        tlsTime: Duration?
    ) {
        self.key = key
        self.info = info
        self.channel = channel
        self.pool = pool
        self.connectTime = connectTime
        self.tlsTime = tlsTime
        eventLoop = channel.eventLoop
        self.handler = NIOLoopBound(handler, eventLoop: channel.eventLoop)
    }

    /// Carries an exchange; the connection was leased for it.
    func run(_ exchange: Exchange, isFresh: Bool) {
        eventLoop.execute { self.handler.value.begin(exchange, isFresh: isFresh) }
    }

    /// Gives an exchange up that nobody waits for any more.
    func abort(_ exchange: Exchange) {
        eventLoop.execute { self.handler.value.abort(exchange) }
    }

    /// The reader of an arriving body wants more.
    func resumeReading(for exchange: Exchange) {
        eventLoop.execute { self.handler.value.resumeReading(for: exchange) }
    }

    func send(_ chunk: Data, of exchange: Exchange) {
        eventLoop.execute { self.handler.value.send(chunk, of: exchange) }
    }

    func endUpload(of exchange: Exchange) {
        eventLoop.execute { self.handler.value.endUpload(of: exchange) }
    }

    func failUpload(of exchange: Exchange, with error: TransportError) {
        eventLoop.execute { self.handler.value.failUpload(of: exchange, with: error) }
    }

    /// Closes it, whatever it does.
    func close() { channel.close(promise: nil) }
}
