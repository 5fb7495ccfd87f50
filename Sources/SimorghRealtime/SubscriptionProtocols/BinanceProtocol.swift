// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// The market streams of Binance.
///
/// ```swift
/// let market = client.subscriptions(over: BinanceProtocol())
/// for try await trade in market.events("btcusdt@trade", as: Trade.self) { print(trade) }
/// ```
/// Several subscriptions to a stream share one subscription on the server, and streams that are requested together
/// are sent in one message. Binance accepts five messages per second; ``pacing`` stays below that. Binance ends each
/// connection after a day and announces it shortly before; the client then reconnects.
public struct BinanceProtocol: SubscriptionProtocol {
    /// Names of streams, such as `btcusdt@aggTrade`; symbols are lowercase.
    public struct Streams: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
        /// The names.
        public var names: [String]

        /// Creates a list of names.
        ///
        /// - Parameter names: The names.
        public init(_ names: [String]) { self.names = names }

        /// Creates a list of one name.
        ///
        /// - Parameter value: The name.
        public init(stringLiteral value: String) { names = [value] }

        /// Creates a list of names.
        ///
        /// - Parameter elements: The names.
        public init(arrayLiteral elements: String...) { names = elements }
    }

    /// The URL to connect to, without `/ws` or `/stream`.
    public var url: String
    /// True if each event contains the name of its stream.
    ///
    /// Default: `true`.
    ///
    /// Otherwise a stream is recognized by the type and the symbol of the event. An event that
    /// matches no stream is delivered only if a single stream is subscribed.
    public var isCombined = true
    /// The rate limit: four messages per second.
    ///
    /// Binance accepts five, which include WebSocket pings and pongs.
    public var pacing: MessageRateLimit? = MessageRateLimit(4, per: .seconds(1))

    /// Creates the protocol.
    ///
    /// - Parameter url: The URL to connect to, without `/ws` or `/stream`; by default the spot market.
    public init(url: String = "wss://stream.binance.com:9443") { self.url = url }

    /// Describes a connection.
    ///
    /// - Parameter attempt: The number of the attempt in a row, counted from 1.
    /// - Returns: The request and the session.
    public func opening(attempt: Int) async -> SubscriptionConnectionRequest<BinanceSession> {
        SubscriptionConnectionRequest(
            url: url + (isCombined ? "/stream" : "/ws"), session: BinanceSession(isCombined: isCombined))
    }
}

/// An error that Binance reports.
public struct BinanceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The error code of Binance.
    public let code: Int
    /// A human-readable description.
    public let message: String

    init(_ json: JSON) {
        code = json.code.int ?? 0
        message = json.msg.string ?? ""
    }

    init(code: Int = 0, message: String) {
        self.code = code
        self.message = message
    }

    /// The message and the code.
    public var description: String { "\(message) (\(code))" }
}
