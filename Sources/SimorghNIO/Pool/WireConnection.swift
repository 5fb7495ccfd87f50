// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import SimorghCore
import SimorghSupport

/// An open connection, as the pool and the tasks know it: what it does, it does on its own event loop.
final class WireConnection: Sendable {
    /// Who speaks the connection's protocol.
    enum Handler: Sendable {
        case http1(NIOLoopBound<ConnectionHandler>)
        case http2(NIOLoopBound<HTTP2ConnectionHandler>)
    }

    let key: ConnectionKey
    let info: ConnectionInfo
    let channel: any Channel
    let pool: ConnectionPool
    /// How long it took to open; told to the exchange that waited for it.
    let connectTime: Duration
    let dnsTime: Duration?
    let tlsTime: Duration?
    /// The time to the server and back: until its certificates came, or in the clear until TCP was open; `nil` if unknown.
    let roundTrip: Duration?
    private let eventLoop: any EventLoop
    private let handler: Handler

    /// Called on the connection's loop.
    init(
        key: ConnectionKey,
        info: ConnectionInfo,
        channel: any Channel,
        handler: Handler,
        pool: ConnectionPool,
        connectTime: Duration,
        dnsTime: Duration?,
        tlsTime: Duration?,
        roundTrip: Duration?
    ) {
        self.key = key
        self.info = info
        self.channel = channel
        self.pool = pool
        self.connectTime = connectTime
        self.dnsTime = dnsTime
        self.tlsTime = tlsTime
        self.roundTrip = roundTrip
        eventLoop = channel.eventLoop
        self.handler = handler
    }

    /// Whether it carries many exchanges at once.
    var isShared: Bool {
        guard case .http2 = handler else { return false }
        return true
    }

    /// Who speaks HTTP/1.1 on it, to be replaced; asked for on the connection's loop.
    var http1: ConnectionHandler? {
        guard case .http1(let handler) = handler else { return nil }
        return handler.value
    }

    /// Carries an exchange; the connection was leased for it.
    ///
    /// - Parameters:
    ///   - exchange: The exchange.
    ///   - isFresh: Whether the connection was opened for it.
    ///   - fromTask: Whether the caller is a task on an event loop: where that is the connection's, it begins at once.
    func run(_ exchange: Exchange, isFresh: Bool, fromTask: Bool) {
        if fromTask, eventLoop.inEventLoop {
            begin(exchange, isFresh: isFresh)
        } else {
            eventLoop.execute { self.begin(exchange, isFresh: isFresh) }
        }
    }

    private func begin(_ exchange: Exchange, isFresh: Bool) {
        switch handler {
        case .http1(let handler): handler.value.begin(exchange, isFresh: isFresh)
        case .http2(let handler): handler.value.begin(exchange, isFresh: isFresh)
        }
    }

    /// Gives an exchange up that nobody waits for any more.
    func abort(_ exchange: Exchange) {
        eventLoop.execute {
            switch self.handler {
            case .http1(let handler): handler.value.abort(exchange)
            case .http2(let handler): handler.value.abort(exchange)
            }
        }
    }

    /// Waits a moment for the end of an exchange whose body nobody reads any more, then gives it up.
    func linger(_ exchange: Exchange) {
        eventLoop.execute {
            switch self.handler {
            case .http1(let handler): handler.value.linger(exchange)
            // Its end costs one stream, not the connection.
            case .http2: exchange.cancel()
            }
        }
    }

    /// The reader of an arriving body wants more.
    func resumeReading(for exchange: Exchange, _ body: BodyStream) {
        eventLoop.execute {
            switch self.handler {
            case .http1(let handler): handler.value.resumeReading(for: exchange)
            case .http2(let handler): handler.value.resumeReading(for: exchange, body)
            }
        }
    }

    /// Nobody reads any more what lies unread of a body.
    func letGo(of exchange: Exchange) {
        guard case .http2(let handler) = handler else { return }
        eventLoop.execute { handler.value.letGo(of: exchange) }
    }

    func send(_ chunk: Data, of exchange: Exchange) {
        eventLoop.execute {
            switch self.handler {
            case .http1(let handler): handler.value.send(chunk, of: exchange)
            case .http2(let handler): handler.value.send(chunk, of: exchange)
            }
        }
    }

    func endUpload(of exchange: Exchange, _ trailers: HTTPFields) {
        eventLoop.execute {
            switch self.handler {
            case .http1(let handler): handler.value.endUpload(of: exchange, trailers)
            case .http2(let handler): handler.value.endUpload(of: exchange, trailers)
            }
        }
    }

    func failUpload(of exchange: Exchange, with error: TransportError) {
        eventLoop.execute {
            switch self.handler {
            case .http1(let handler): handler.value.failUpload(of: exchange, with: error)
            case .http2(let handler): handler.value.failUpload(of: exchange, with: error)
            }
        }
    }

    /// Closes it, whatever it does.
    func close() {
        switch handler {
        case .http1: channel.close(promise: nil)
        case .http2(let handler): eventLoop.execute { handler.value.goodbye() }
        }
    }
}

extension ExchangeTimings {
    /// What is known of an exchange that goes out.
    ///
    /// - Parameters:
    ///   - exchange: The exchange.
    ///   - connection: What carries it.
    ///   - isReused: Whether the connection has carried another one.
    ///   - hasWaited: Whether it waited for the connection to open, which is told to one.
    ///   - now: The time.
    init(
        beginning exchange: Exchange, on connection: WireConnection, isReused: Bool, hasWaited: Bool,
        at now: NIODeadline
    ) {
        self.init()
        rides = exchange.attempt
        isReusedConnection = isReused
        let waited = now.since(exchange.waitingSince)
        queue = waited
        guard hasWaited else { return }
        // Who came when the connection was half open waited for the end of that alone.
        tls = connection.tlsTime.map { min($0, waited) }
        let connect = min(connection.connectTime, waited - (tls ?? .zero))
        dns = connection.dnsTime.map { max(.zero, $0 - (connection.connectTime - connect)) }
        self.connect = connect
        queue = waited - connect - (tls ?? .zero)
    }
}
