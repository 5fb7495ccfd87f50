// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// Binance's market streams.
///
/// ```swift
/// let market = client.subscriptions(over: BinanceProtocol())
/// for try await trade in market.events("btcusdt@trade", as: Trade.self) { print(trade) }
/// ```
/// A stream that several listeners want is asked for once. Binance takes five messages in a second and is sent no more;
/// streams that are wanted together are asked for together. It ends each connection after a day, and says so shortly
/// before, whereupon another is made.
public struct BinanceProtocol: SubscriptionProtocol {
    /// Names of streams, such as `btcusdt@aggTrade`; symbols are in small letters.
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

    /// Where to connect, without `/ws` or `/stream`.
    public var url: String
    /// Whether each event comes with the name of its stream; on by default.
    ///
    /// Without it, a stream is told by the kind and the symbol of the event, and events that have neither go to whoever
    /// listens alone.
    public var isCombined = true
    /// Four messages in a second: Binance takes five, and counts the WebSocket's own pings and pongs among them.
    public var pacing: SubscriptionPacing? = SubscriptionPacing(4, per: .seconds(1))

    /// Creates the protocol.
    ///
    /// - Parameter url: Where to connect, without `/ws` or `/stream`; the spot market by default.
    public init(url: String = "wss://stream.binance.com:9443") { self.url = url }

    /// Describes a connection.
    ///
    /// - Parameter attempt: How many there were in a row.
    /// - Returns: The request and the session.
    public func opening(attempt: Int) async -> SubscriptionOpening<BinanceSession> {
        SubscriptionOpening(
            url: url + (isCombined ? "/stream" : "/ws"), session: BinanceSession(isCombined: isCombined))
    }
}

/// What Binance finds wrong.
public struct BinanceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Binance's number of the fault.
    public let code: Int
    /// What is wrong, for a person.
    public let message: String

    init(_ json: JSON) {
        code = json.code.int ?? 0
        message = json.msg.string ?? ""
    }

    init(code: Int = 0, message: String) {
        self.code = code
        self.message = message
    }

    /// The message and the number.
    public var description: String { "\(message) (\(code))" }
}
