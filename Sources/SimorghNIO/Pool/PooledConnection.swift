// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import SimorghCore
import SimorghSupport

/// An open connection that the pool and the tasks use from any thread; its work runs on its own event loop.
final class PooledConnection: Sendable {
    /// The channel handler of the connection's protocol.
    enum Handler: Sendable {
        case http1(NIOLoopBound<HTTP1ConnectionHandler>)
        case http2(NIOLoopBound<HTTP2ConnectionHandler>)
    }

    let key: ConnectionKey
    let info: ConnectionInfo
    let channel: any Channel
    let pool: ConnectionPool
    /// The time it took to open; reported to the exchange that waited for it.
    let connectTime: Duration
    let dnsTime: Duration?
    let tlsTime: Duration?
    /// The round-trip time: until the server's certificates arrived, or without TLS until TCP was connected; `nil` if
    /// unknown.
    let roundTrip: Duration?
    private let eventLoop: any EventLoop
    private let handler: Handler

    /// Creates a connection; called on its loop.
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

    /// True if it carries several exchanges at once.
    var isShared: Bool {
        guard case .http2 = handler else { return false }
        return true
    }

    /// The HTTP/1.1 handler, for its replacement by another protocol; used on the connection's loop.
    var http1: HTTP1ConnectionHandler? {
        guard case .http1(let handler) = handler else { return nil }
        return handler.value
    }

    /// Starts an exchange for which the connection was leased.
    ///
    /// - Parameters:
    ///   - exchange: The exchange.
    ///   - isFresh: True if the connection was opened for it.
    ///   - fromTask: True if the caller is a task on an event loop; if that is the connection's loop, the exchange
    ///     starts at once.
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

    /// Aborts an exchange whose result is not needed any more.
    func abort(_ exchange: Exchange) {
        eventLoop.execute {
            switch self.handler {
            case .http1(let handler): handler.value.abort(exchange)
            case .http2(let handler): handler.value.abort(exchange)
            }
        }
    }

    /// Drains the body of an exchange that no caller reads for a short time, then aborts the exchange.
    func linger(_ exchange: Exchange) {
        eventLoop.execute {
            switch self.handler {
            case .http1(let handler): handler.value.linger(exchange)
            // Over HTTP/2, aborting it costs only a stream, not the connection.
            case .http2: exchange.cancel()
            }
        }
    }

    /// Resumes reading, because the reader of a body can take more.
    func resumeReading(for exchange: Exchange, body: BodyStream) {
        eventLoop.execute {
            switch self.handler {
            case .http1(let handler): handler.value.resumeReading(for: exchange)
            case .http2(let handler): handler.value.resumeReading(for: exchange, body: body)
            }
        }
    }

    /// Releases the unread bytes of a body that no caller reads.
    func discardUnread(of exchange: Exchange) {
        guard case .http2(let handler) = handler else { return }
        eventLoop.execute { handler.value.discardUnread(of: exchange) }
    }

    func send(_ chunk: Data, of exchange: Exchange) {
        eventLoop.execute {
            switch self.handler {
            case .http1(let handler): handler.value.send(chunk, of: exchange)
            case .http2(let handler): handler.value.send(chunk, of: exchange)
            }
        }
    }

    func endUpload(of exchange: Exchange, trailers: HTTPFields) {
        eventLoop.execute {
            switch self.handler {
            case .http1(let handler): handler.value.endUpload(of: exchange, trailers: trailers)
            case .http2(let handler): handler.value.endUpload(of: exchange, trailers: trailers)
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

    /// Closes the connection, whatever it is doing.
    func close() {
        switch handler {
        case .http1: channel.close(promise: nil)
        case .http2(let handler): eventLoop.execute { handler.value.closeGracefully() }
        }
    }
}

extension ExchangeTimings {
    /// Creates the timings of an exchange that starts.
    ///
    /// - Parameters:
    ///   - exchange: The exchange.
    ///   - connection: The connection.
    ///   - isReused: True if the connection has carried another exchange.
    ///   - hasWaited: True if the exchange waited for the connection to open; only one exchange reports that time.
    ///   - now: The current time.
    init(
        beginning exchange: Exchange, on connection: PooledConnection, isReused: Bool, hasWaited: Bool,
        at now: NIODeadline
    ) {
        self.init()
        transmissions = exchange.attempt
        isReusedConnection = isReused
        let waited = now.since(exchange.waitingSince)
        queue = waited
        guard hasWaited else { return }
        // An exchange that started to wait while the connection was being opened waited only for the rest of that
        // time.
        tls = connection.tlsTime.map { min($0, waited) }
        let connect = min(connection.connectTime, waited - (tls ?? .zero))
        dns = connection.dnsTime.map { max(.zero, $0 - (connection.connectTime - connect)) }
        self.connect = connect
        queue = waited - connect - (tls ?? .zero)
    }
}
