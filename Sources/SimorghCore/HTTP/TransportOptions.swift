// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghSupport

/// How one request is carried by the transport.
///
/// A client has one as its default; a call may change its own copy.
public struct TransportOptions: Sendable, Hashable {
    /// How a response body is handed over.
    public enum Delivery: Sendable, Hashable {
        /// Gathered by the transport and handed over at once; more than `upTo` bytes (after decompression) is an error.
        case collected(upTo: Int)
        /// Handed over chunk by chunk, read from the network only as fast as it is taken.
        case streamed
    }

    /// Which version of HTTP a request is sent in.
    public enum HTTPVersion: Sendable, Hashable, CaseIterable {
        /// Over TLS HTTP/2 where the server speaks it, else HTTP/1.1; in the clear HTTP/1.1.
        case automatic
        /// HTTP/1.1 and nothing else.
        case http1Only
        /// HTTP/2 over TLS; a server that does not speak it is an error, and so is a URL in the clear.
        case http2Only
        /// HTTP/2 in the clear, to a server that is known to speak it; over TLS the same as ``http2Only``.
        case http2PriorKnowledge
    }

    /// The requests that only a cache may answer.
    package enum CacheOnly: Sendable {
        case none, all
        /// GET and HEAD with `Cache-Control: only-if-cached`; the default header fields may say it for those without the field.
        case onlyIfCached(byDefault: Bool)
    }

    /// How long each phase may take.
    public var timeouts = Timeouts()
    /// How much of a response is accepted.
    public var limits = ResponseLimits()
    /// How a secure connection is made.
    public var tls = TLSOptions()
    /// Which way connections take; straight to the host by default.
    public var route = RouteOptions()
    /// Which version of HTTP is spoken; over TLS the best that the server offers, in the clear HTTP/1.1, by default.
    public var httpVersion = HTTPVersion.automatic
    /// How the body is handed over; collected up to 64 MiB by default.
    public var delivery = Delivery.collected(upTo: 64 * 1024 * 1024)
    /// The largest body that is kept of a response with a status from 300 on, in bytes; `nil`, the default, where the
    /// transport collects all bodies alike.
    ///
    /// A client sets it. The transport then streams such bodies under ``Delivery/collected(upTo:)``, too, and the steps of
    /// the chain collect the one that ends the call.
    package var errorBodyBytes: Int?
    /// Whether a body in gzip or deflate is asked for and decompressed; on by default.
    public var decompresses = true
    /// How long a body waits for the server to want it, asked by `Expect: 100-continue` (RFC 9110, section 10.1.1);
    /// `nil` by default: it is sent at once.
    ///
    /// Worth its round trip where a large body may be refused: for want of a credential, or for its size. When the time is
    /// up the body goes out all the same, since some servers never answer. When the answer comes first, the body is not
    /// sent. A server that refuses the question itself (417) gets the request once more without it.
    public var continueTimeout: Duration?
    /// How soon the request gets a connection where others wait, too, and what the server is told of it; normal by default,
    /// of which it is told nothing.
    public var priority = RequestPriority.normal
    /// Where a running exchange can be cancelled together with others; see ``CancellationScope``.
    package var scope: CancellationScope?
    /// Values of the user's own for the steps of the chain; empty by default.
    public var userInfo = UserInfo()
    /// Whether steps may give the request credentials; on by default.
    public var allowsAuthentication = true
    /// The call that the request is made for; `nil` where no step of the chain needs it, and for a request of your own.
    public package(set) var call: CallContext?
    /// Counts what is sent of the body; `nil` where nobody wants to know.
    package var progress: UploadMeter?
    /// Who knows whether there is a network to send it over; `nil` for nobody.
    package var monitor: NetworkMonitor?
    /// Whether it may be kept until there is a network; not where something that is kept stands in for the answer meanwhile.
    package var waitsForNetwork = true
    /// The requests that only a cache may answer.
    package var cacheOnly = CacheOnly.none
    /// Told each interim response (1xx) on the connection's loop, where nothing may wait; `nil` where nobody wants to know.
    package var informational: (@Sendable (HTTPResponse) -> Void)?
    /// Records the request head as it is sent, and the response head; `nil` if no observer wants them.
    package var wire: WireRecord?

    /// Creates the default options.
    public init() {}

    /// Whether both carry a request alike; its priority and what only the steps before the transport use are no part of it.
    public static func == (left: TransportOptions, right: TransportOptions) -> Bool {
        left.timeouts == right.timeouts && left.limits == right.limits && left.tls == right.tls
            && left.route == right.route
            && left.httpVersion == right.httpVersion && left.delivery == right.delivery
            && left.decompresses == right.decompresses && left.continueTimeout == right.continueTimeout
            && left.errorBodyBytes == right.errorBodyBytes
    }

    /// Feeds what `==` compares into a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(timeouts)
        hasher.combine(limits)
        hasher.combine(tls)
        hasher.combine(route)
        hasher.combine(httpVersion)
        hasher.combine(delivery)
        hasher.combine(decompresses)
        hasher.combine(continueTimeout)
        hasher.combine(errorBodyBytes)
    }

    /// Returns how the body of a response is handed over.
    ///
    /// - Parameters:
    ///   - status: The status of the response.
    ///   - hasBody: True unless the response is known to have no body.
    /// - Returns: ``delivery``, or a stream for a body that the chain may not want.
    package func delivery(of status: Int, hasBody: Bool) -> Delivery {
        status >= 300 && hasBody && errorBodyBytes != nil ? .streamed : delivery
    }
}

/// How long each phase of an exchange may take; `nil` means that the phase has no limit of its own.
public struct Timeouts: Sendable, Hashable {
    /// Waiting for a connection of the pool; 30 seconds by default.
    public var queue: Duration? = .seconds(30)
    /// Resolving the name and connecting, over all addresses; 10 seconds by default.
    ///
    /// With `nil` the engine ends it after five minutes all the same, as nobody may be left who waits for it.
    public var connect: Duration? = .seconds(10)
    /// The TLS handshake; 10 seconds by default.
    ///
    /// With `nil` the engine ends it after five minutes all the same, as nobody may be left who waits for it.
    public var tls: Duration? = .seconds(10)
    /// From the last byte of the request to the head of the response; 60 seconds by default.
    public var head: Duration? = .seconds(60)
    /// The longest time without a byte of a body moving, in either direction; 60 seconds by default.
    ///
    /// A client turns it off for an ``EventSource``, which may be quiet for hours, unless somebody set one.
    public var idle: Duration? = .seconds(60) {
        didSet { isIdleSet = true }
    }
    /// The whole exchange, from the call to the last byte of the body; 5 minutes by default.
    ///
    /// A client turns it off for streams and uploads, unless one was set, be it 5 minutes.
    public var total: Duration? = .seconds(300) {
        didSet { isTotalSet = true }
    }
    /// Whether somebody set ``total``, be it to what it was.
    package private(set) var isTotalSet = false
    /// Whether somebody set ``idle``, be it to what it was.
    package private(set) var isIdleSet = false

    /// Leaves the whole exchange no more than what is left of its time; whether somebody set that does not change.
    package mutating func shorten(to remaining: Duration) {
        let wasSet = isTotalSet
        total = min(remaining, total ?? remaining)
        isTotalSet = wasSet
    }

    /// Creates the default timeouts.
    public init() {}
}

/// How much of a response is accepted before it is refused.
public struct ResponseLimits: Sendable, Hashable {
    /// The largest head, in bytes: the status line and all fields; 64 KiB by default.
    public var headBytes = 64 * 1024
    /// The most header fields; 256 by default.
    public var headerFields = 256
    /// How many times larger than what came in a decompressed body may be; 100 by default.
    public var decompressionRatio = 100
    /// The size in bytes up to which the ratio is not looked at; 1 MiB by default.
    public var decompressionFloor = 1024 * 1024

    /// Creates the default limits.
    public init() {}
}
