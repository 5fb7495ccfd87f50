// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghSupport

/// Settings for sending one request.
///
/// A client has default options; a call may change its own copy.
public struct TransportOptions: Sendable, Hashable {
    /// A form in which a response body is returned.
    public enum Delivery: Sendable, Hashable {
        /// Collected in memory by the transport; more than `upTo` bytes (after decompression) is an error.
        case collected(upTo: Int)
        /// Returned chunk by chunk, read from the network only as fast as it is consumed.
        case streamed
    }

    /// A choice of the HTTP version for a request.
    public enum HTTPVersion: Sendable, Hashable, CaseIterable {
        /// Over TLS, HTTP/2 if the server supports it, else HTTP/1.1; without TLS, HTTP/1.1.
        case automatic
        /// HTTP/1.1 only.
        case http1Only
        /// HTTP/2 over TLS only; a server that does not support it is an error, and so is a URL without TLS.
        case http2Only
        /// HTTP/2 without TLS, to a server that is known to support it; over TLS the same as ``http2Only``.
        case http2PriorKnowledge
        /// HTTP/3 first, to a server that is known to support it, else HTTP/2 or HTTP/1.1.
        ///
        /// Only `URLSession` on Apple platforms supports it; other transports fail the request. It has no effect on an
        /// `http` URL.
        case http3
    }

    /// The requests that only a cache may answer.
    package enum CacheOnly: Sendable {
        case none, all
        /// GET and HEAD with `Cache-Control: only-if-cached`.
        ///
        /// The default header fields may set it for requests without that field.
        case onlyIfCached(byDefault: Bool)
    }

    /// The time limit of each phase.
    public var timeouts = Timeouts()
    /// The limits on the size of a response.
    public var limits = ResponseLimits()
    /// The settings for secure connections.
    public var tls = TLSOptions()
    /// The route that connections take.
    ///
    /// Default: directly to the host.
    public var route = RouteOptions()
    /// The kinds of networks that the request may use.
    ///
    /// Default: all.
    public var access = NetworkAccess()
    /// The HTTP version.
    ///
    /// Default: over TLS the best that the server offers, without TLS HTTP/1.1.
    public var httpVersion = HTTPVersion.automatic
    /// The form in which the response body is returned.
    ///
    /// Default: collected, up to 64 MiB.
    public var delivery = Delivery.collected(upTo: 64 * 1024 * 1024)
    /// The largest body to keep of a response with a status of 300 or above, in bytes.
    ///
    /// With `nil`, the default, the transport collects all bodies alike. A client sets a value: the transport then
    /// streams such bodies under ``Delivery/collected(upTo:)``, too, and the steps of the pipeline collect the one that
    /// ends the call.
    @usableFromInline package var errorBodyBytes: Int?
    /// True if gzip and deflate bodies are requested and decompressed.
    ///
    /// Default: true.
    public var decompresses = true
    /// The longest time to wait after `Expect: 100-continue` before sending the body (RFC 9110, section 10.1.1).
    ///
    /// With `nil`, the default, the body is sent at once. Waiting costs a round trip; it is worth it if the server
    /// may reject a large body because of its size or a missing credential. When the time is up, the body is sent
    /// anyway, since some servers never answer. If the final response arrives first, the body is not sent. If the
    /// server rejects the expectation itself (417), the request is sent once more without it.
    public var continueTimeout: Duration?
    /// The priority among requests that wait for a connection, and the urgency reported to the server.
    ///
    /// Default: normal, which is not reported to the server.
    public var priority = RequestPriority.normal
    /// The scope in which the running exchange can be cancelled together with others; see ``CancellationScope``.
    package var scope: CancellationScope?
    /// The caller's own values for the steps of the pipeline.
    ///
    /// Default: empty.
    public var userInfo = UserInfo()
    /// True if steps may add credentials to the request.
    ///
    /// Default: true.
    public var allowsAuthentication = true
    /// The call that the request belongs to; `nil` if no step needs it, and for requests that you create.
    public package(set) var call: CallContext?
    /// The counter of body bytes sent; `nil` if upload progress is not reported.
    package var progress: UploadProgressReporter?
    /// The monitor that knows if there is a network; `nil` if there is no monitor.
    package var monitor: NetworkMonitor?
    /// True if the request may be queued until there is a network; false if a cached response can replace the answer.
    package var waitsForNetwork = true
    /// The permission to wait for the network inside the transport; `nil` if the request has to fail without one.
    package var connectivityWait: ConnectivityWait?
    /// The requests that only a cache may answer.
    package var cacheOnly = CacheOnly.none
    /// The callback for interim responses (1xx), called on the connection's event loop, where it must not block.
    package var informational: (@Sendable (HTTPResponse) -> Void)?
    /// The record of the request head as it is sent, and of the response head; `nil` if no observer needs them.
    package var wire: WireRecord?

    /// Creates the default options.
    public init() {}

    /// Returns true if both options send a request alike.
    ///
    /// Ignores the priority and values that only steps use.
    public static func == (left: TransportOptions, right: TransportOptions) -> Bool {
        left.timeouts == right.timeouts && left.limits == right.limits && left.tls == right.tls
            && left.route == right.route && left.access == right.access
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
        hasher.combine(access)
        hasher.combine(httpVersion)
        hasher.combine(delivery)
        hasher.combine(decompresses)
        hasher.combine(continueTimeout)
        hasher.combine(errorBodyBytes)
    }

    /// Returns the form in which the body of a response is returned.
    ///
    /// - Parameters:
    ///   - status: The status of the response.
    ///   - hasBody: True unless the response is known to have no body.
    /// - Returns: ``delivery``, or a stream for a body that the pipeline may not need.
    @inlinable
    package func delivery(of status: Int, hasBody: Bool) -> Delivery {
        status >= 300 && hasBody && errorBodyBytes != nil ? .streamed : delivery
    }
}

/// The time limit of each phase of an exchange; `nil` means that the phase has no limit of its own.
///
/// `URLSession`, the default on Apple platforms, does not report its first phases: over it ``queue``, ``connect`` and
/// ``tls`` have no effect, and ``head`` begins with the request, or with the last byte of its body.
public struct Timeouts: Sendable, Hashable {
    /// The time to wait for a connection of the pool.
    ///
    /// Default: 30 seconds.
    public var queue: Duration? = .seconds(30)
    /// The time to resolve the host name and connect, over all addresses.
    ///
    /// Default: 10 seconds.
    ///
    /// If `nil`, the engine still gives up after five minutes, because the caller may be gone.
    public var connect: Duration? = .seconds(10)
    /// The time for the TLS handshake.
    ///
    /// Default: 10 seconds.
    ///
    /// If `nil`, the engine still gives up after five minutes, because the caller may be gone.
    public var tls: Duration? = .seconds(10)
    /// The time from the last byte of the request to the head of the response.
    ///
    /// Default: 60 seconds.
    public var head: Duration? = .seconds(60)
    /// The longest time in which no body byte is sent or received.
    ///
    /// Default: 60 seconds.
    ///
    /// A client turns it off for an ``EventSource``, which may be silent for hours, unless it was set explicitly.
    public var idle: Duration? = .seconds(60) {
        didSet { isIdleSet = true }
    }
    /// The time for the whole exchange, from the call to the last byte of the body.
    ///
    /// Default: 5 minutes.
    ///
    /// A client turns it off for streams and uploads, unless it was set explicitly, even to 5 minutes.
    public var total: Duration? = .seconds(300) {
        didSet { isTotalSet = true }
    }
    /// True if ``total`` was set explicitly, even to its default.
    package private(set) var isTotalSet = false
    /// True if ``idle`` was set explicitly, even to its default.
    package private(set) var isIdleSet = false

    /// Limits the whole exchange to the time that remains; does not count as setting ``total`` explicitly.
    package mutating func shorten(to remaining: Duration) {
        let wasSet = isTotalSet
        total = min(remaining, total ?? remaining)
        isTotalSet = wasSet
    }

    /// Creates the default timeouts.
    public init() {}
}

/// The limits beyond which a response is rejected.
public struct ResponseLimits: Sendable, Hashable {
    /// The largest head, in bytes: the status line and all header fields.
    ///
    /// Default: 64 KiB.
    public var headBytes = 64 * 1024
    /// The largest number of header fields.
    ///
    /// Default: 256.
    public var headerFields = 256
    /// The largest ratio of decompressed to compressed body size.
    ///
    /// Default: 100.
    public var decompressionRatio = 100
    /// The decompressed size in bytes up to which the ratio is not checked.
    ///
    /// Default: 1 MiB.
    public var decompressionFloor = 1024 * 1024

    /// Creates the default limits.
    public init() {}
}
