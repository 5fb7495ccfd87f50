// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

extension APIClient.Configuration {
    /// The caches that can answer a call without the network; see ``APIClient/Configuration/caching``.
    public struct Caching: Sendable {
        /// The cache strategy.
        ///
        /// Default: the rules of the protocol.
        ///
        /// If the client has no cache, the strategy is sent to the caches between client and server.
        public var strategy = CacheStrategy.useProtocolCachePolicy
        /// The cache that stores responses and answers calls as RFC 9111 allows.
        ///
        /// Default: `nil`, no cache.
        public var httpCache: HTTPCache?

        /// Creates the defaults.
        public init() {}
    }

    /// The rules that decide if a response is a success; see ``APIClient/Configuration/validation``.
    public struct Validation: Sendable {
        /// The accepted statuses.
        ///
        /// Default: 200 to 299. Others throw ``NetworkError/customError(_:_:)``.
        public var statusCodes = StatusCodeSet.success
        /// The accepted media types of a response; `image/*` accepts a whole type.
        ///
        /// Default: `nil`, any media type.
        ///
        /// A body with another media type, or without one, throws ``NetworkError/validation(reason:_:)``. A response
        /// without a body is not checked.
        public var contentTypes: [String]?
        /// Converts a rejected response into the server's own error.
        ///
        /// The error reaches the caller inside ``NetworkError/responseError(_:)``. If the property is `nil` (the
        /// default), or returns `nil` for a response that it does not know, the caller gets
        /// ``NetworkError/customError(_:_:)``. A request's own ``NetworkRequest/decodeError(_:)`` comes first.
        public var errorDecoder: (@Sendable (CollectedResponse) -> (any Error)?)?

        /// Creates the defaults.
        public init() {}
    }

    /// The JSON decoder and encoder; see ``APIClient/Configuration/coding``.
    public struct Coding: Sendable {
        /// The JSON decoder.
        ///
        /// Default: `nil`, a decoder with default settings.
        ///
        /// It overrides a request's own decoder unless ``NetworkRequest/allowsResponseDecoderOverride`` is `false`.
        public var decoder: JSONDecoder?
        /// The JSON encoder, for endpoints without their own.
        ///
        /// Default: `nil`, an encoder with default settings.
        public var encoder: JSONEncoder?

        /// Creates the defaults.
        public init() {}
    }

    /// The settings that protect servers and calls; see ``APIClient/Configuration/resilience``.
    public struct Resilience: Sendable {
        /// The largest number of requests to each origin in a period; with `.fromServer`, what its responses allow.
        ///
        /// Default: `nil`, no limit.
        public var rateLimit: RateLimit?
        /// The circuit breaker for origins that keep failing.
        ///
        /// Default: `nil`, no circuit breaker.
        public var circuitBreaker: CircuitBreaker?
        /// The rule for sending a second request in parallel if a response is slow.
        ///
        /// Default: `nil`, no hedging.
        public var hedging: Hedging?
        /// True if identical safe requests that are in flight at the same time share one exchange.
        ///
        /// Default: false.
        ///
        /// Requests are identical if method, URL, header fields, timeouts and limits are equal. Cancelling one call
        /// does not affect the others; the exchange stops when the last call is cancelled. Streams, and requests with
        /// ``userInfo``, are never shared.
        public var coalescesRequests = false
        /// The queue that keeps requests while there is no network.
        ///
        /// Default: `nil`, such requests fail.
        public var offlineQueue: OfflineQueue?

        /// Creates the defaults.
        public init() {}
    }

    /// The log, the event callback and the redaction rules; see ``APIClient/Configuration/logging``.
    public struct Logging: Sendable {
        /// The log level.
        ///
        /// Default: none.
        public var level = LogLevel.none
        /// The destination of the log.
        ///
        /// Default: the program's own log, and the file that `SIMORGH_LOG_FILE` names.
        public var logger = NetworkLogger.shared
        /// The redaction rules for the log, for events and for ``onEvent``.
        ///
        /// Default: credentials and similar secrets.
        public var redaction = RedactionRules.standard
        /// Receives the events of calls.
        ///
        /// Default: `nil`.
        ///
        /// Events are begin and end of a call, decisions and waits of the interceptors, and each attempt on the
        /// network. The closure is called on the task of the call, or on the connection's thread for an interim
        /// response, and should return quickly. ``APIClient/events(showing:buffer:)`` delivers the same events as a
        /// stream.
        public var onEvent: (@Sendable (NetworkEvent) -> Void)?

        /// Creates the defaults.
        public init() {}
    }
}
