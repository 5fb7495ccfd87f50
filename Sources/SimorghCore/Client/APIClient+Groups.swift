// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

extension APIClient.Configuration {
    /// What calls are answered from instead of the network; see ``APIClient/Configuration/caching``.
    public struct Caching: Sendable {
        /// Whether a call may be answered from a cache; as the protocol says by default.
        ///
        /// Without a cache in the client, the strategy is told to the caches on the way.
        public var strategy = CacheStrategy.useProtocolCachePolicy
        /// Keeps responses as RFC 9111 allows, and answers from them; `nil`, the default, keeps none.
        public var httpCache: HTTPCache?

        /// Creates the defaults.
        public init() {}
    }

    /// Which responses are success; see ``APIClient/Configuration/validation``.
    public struct Validation: Sendable {
        /// The statuses that are success, 200 to 299 by default; others throw ``NetworkError/customError(_:_:)``.
        public var statusCodes = StatusCodeSet.success
        /// The media types that an accepted response may have, `image/*` for all of a kind; `nil`, the default, for any.
        ///
        /// Another one, or a body without one, throws ``NetworkError/validation(reason:_:)``. A response without a body is
        /// not looked at.
        public var contentTypes: [String]?
        /// Turns a refused response into the server's own error, which reaches the caller inside
        /// ``NetworkError/responseError(_:)``; `nil`, the default and its answer for what it does not know, leaves
        /// ``NetworkError/customError(_:_:)``.
        ///
        /// A request's own ``NetworkRequest/decodeError(_:)`` comes first.
        public var errorDecoder: (@Sendable (CollectedResponse) -> (any Error)?)?

        /// Creates the defaults.
        public init() {}
    }

    /// How JSON is decoded and encoded; see ``APIClient/Configuration/coding``.
    public struct Coding: Sendable {
        /// Decodes JSON; `nil`, the default, is a plain decoder.
        ///
        /// A decoder set here wins over a request's own unless ``NetworkRequest/allowsResponseDecoderOverride`` is `false`.
        public var decoder: JSONDecoder?
        /// Encodes JSON, unless the endpoint brings an encoder; `nil`, the default, is a plain encoder.
        public var encoder: JSONEncoder?

        /// Creates the defaults.
        public init() {}
    }

    /// What protects servers and calls; see ``APIClient/Configuration/resilience``.
    public struct Resilience: Sendable {
        /// How many requests each host gets in a time; `nil`, the default, is any number.
        public var rateLimit: RateLimit?
        /// When an origin that keeps failing is left alone; `nil`, the default, is never.
        public var circuitBreaker: CircuitBreaker?
        /// When a request that gets no answer is sent once more beside itself; `nil`, the default, is never.
        public var hedging: Hedging?
        /// Whether identical safe requests that are under way at once share one exchange; off by default.
        ///
        /// Identical are method, URL, header fields, timeouts and limits. A cancelled call leaves the others theirs, and the
        /// exchange stops when the last has left. Streams, and requests with ``userInfo``, are never shared.
        public var coalescesRequests = false
        /// Keeps requests while there is no way to the internet; `nil`, the default, lets them fail.
        public var offlineQueue: OfflineQueue?

        /// Creates the defaults.
        public init() {}
    }

    /// What is told of calls; see ``APIClient/Configuration/logging``.
    public struct Logging: Sendable {
        /// How much is written to the log; nothing by default.
        public var level = LogLevel.none
        /// Where the log is written to; the program's own log by default, and the file that `SIMORGH_LOG_FILE` names.
        public var logger = NetworkLogger.shared
        /// What is hidden in the log, in events and in what ``onEvent`` is told; credentials and the like by default.
        public var redaction = RedactionRules.standard
        /// Told how calls begin and end, what the steps of the chain decide and wait for, and how each attempt on the wire
        /// went; `nil` by default.
        ///
        /// It is called on the task of the call, for an interim response on the thread of its connection, and should return
        /// at once. ``APIClient/events(showing:buffer:)`` gives the same as a stream.
        public var onEvent: (@Sendable (NetworkEvent) -> Void)?

        /// Creates the defaults.
        public init() {}
    }
}
