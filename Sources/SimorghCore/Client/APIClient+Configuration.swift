// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

extension APIClient {
    /// How a client behaves; a client keeps its own copy, and a call may change one of its own.
    public struct Configuration: Sendable {
        /// What relative paths are appended to, with its own path and query; none by default.
        public var baseURL: String?
        /// Asked for the base URL at each request, before ``baseURL``: for an address that changes while the program runs.
        public var dynamicBaseURL: (@Sendable () -> String)?
        /// Fields that every request gets unless it sets its own; none by default.
        public var headers: [String: String] = [:]
        /// Query items that every request gets, before its own; none by default.
        public var query = QueryItems()
        /// The `User-Agent` of requests that set none; `Simorgh/` and the version by default, `nil` sends none.
        public var userAgent: String? = "Simorgh/\(SimorghVersion.current)"
        /// What the `User-Agent` says of the program, instead of ``userAgent``; `nil` by default.
        public var userAgentConfiguration: UserAgentConfiguration?
        /// The header field in which each call gets an identifier of its own; `nil`, the default, gives none.
        public var requestIDHeader: String?
        /// Whether a call may be answered from a cache; as the protocol says by default.
        ///
        /// Without a cache in the client, the strategy is told to the caches on the way.
        public var cacheStrategy = CacheStrategy.useProtocolCachePolicy
        /// Keeps responses as RFC 9111 allows, and answers from them; `nil`, the default, keeps none.
        public var cache: HTTPCache?
        /// What calls with a ``CachingLevel`` look into; `nil`, the default, is ``AppCache/shared``.
        public var appCache: AppCache?
        /// That of one call.
        package var appCacheTicket: AppCacheTicket?

        /// How long each phase may take.
        public var timeouts = Timeouts()
        /// How much of a response is accepted.
        public var limits = ResponseLimits()
        /// How secure connections are made.
        public var tls = TLSOptions()
        /// Which way connections take: proxies, addresses of your own, Unix sockets; straight to the host by default.
        public var route = RouteOptions()
        /// Which version of HTTP is spoken; by default over TLS the best that the server offers, in the clear HTTP/1.1.
        public var httpVersion = TransportOptions.HTTPVersion.automatic
        /// Whether gzip and deflate are asked for and decompressed; on by default.
        public var decompresses = true
        /// The largest body to collect into memory, in bytes after decompression; 64 MiB by default.
        public var maximumCollectedBytes = 64 * 1024 * 1024
        /// How much of a refused response's body an error keeps, in bytes; 1 MiB by default.
        public var maximumErrorBodyBytes = 1024 * 1024
        /// The statuses that are success, 200 to 299 by default; others throw ``NetworkError/customError(_:_:)``.
        public var acceptableStatusCodes = StatusCodeSet.success
        /// The media types that an accepted response may have, `image/*` for all of a kind; `nil`, the default, for any.
        ///
        /// Another one, or a body without one, throws ``NetworkError/validation(reason:_:)``. A response without a body is
        /// not looked at.
        public var acceptableContentTypes: [String]?
        /// Turns a refused response into the server's own error, which reaches the caller inside
        /// ``NetworkError/responseError(_:)``; `nil`, the default and its answer for what it does not know, leaves
        /// ``NetworkError/customError(_:_:)``.
        ///
        /// A request's own ``NetworkRequest/decodeError(_:)`` comes first.
        public var errorDecoder: (@Sendable (CollectedResponse) -> (any Error)?)?

        /// Which redirects are followed; up to 20 by default, none from `https` to `http`, no credential to another origin.
        public var redirects = RedirectPolicy()
        /// Keeps the cookies that servers set and sends them back, such as `.memory`; `nil`, the default, does neither.
        ///
        /// A `Cookie` field of a request's own is sent, too: cookies of the same names are not added to it.
        public var cookies: (any CookieStore)?

        /// Decodes JSON; `nil`, the default, is a plain decoder.
        ///
        /// A decoder set here wins over a request's own unless ``NetworkRequest/allowsResponseDecoderOverride`` is `false`.
        public var decoder: JSONDecoder?
        /// Encodes JSON, unless the endpoint brings an encoder; `nil`, the default, is a plain encoder.
        public var encoder: JSONEncoder?
        /// The user's own steps around every call, the first outermost; none by default.
        ///
        /// They see a call once, whatever the steps below them do: retry, follow redirects, answer from a cache.
        public var interceptors: [Interceptor] = []
        /// Decides when no call can go on, and what to do about it, once for all; `nil` by default.
        public var stopTheLine: (any StopTheLine)?
        /// Whether calls neither wait for ``stopTheLine`` nor are judged by it; off by default.
        public var shouldIgnoreStopTheLine = false
        /// How often ``stopTheLine`` may have one request sent again; 10 times by default.
        ///
        /// After that the call fails with ``StopTheLineExhausted``.
        public var maximumStopTheLineRepeats = 10
        /// How requests prove who sends them; `nil`, the default, sends no credentials.
        public var authentication: Authentication?
        /// Renews the tokens that `APIClient.send(_:accessToken:)` is given, when a server answers 401; `nil` by default.
        public var tokenRefresher: (any TokenRefreshProvider)?
        /// Whether requests get credentials, and refused ones new ones; on by default.
        public var allowsAuthentication = true
        /// Which origin credentials are held to where there is no base URL; `nil`, the default, holds them to none.
        package var credentialsBase: CallContext.Base?
        /// The user's own steps around every attempt on the wire, the first outermost; none by default.
        ///
        /// They see the request as it is sent, with what the other steps added, and the response with its
        /// ``TransportResponse/connection``.
        public var networkInterceptors: [Interceptor] = []
        /// What accompanies every call: changes its request, watches it, judges its response; none by default.
        ///
        /// They run inside of ``interceptors``. Of those with one id the first runs; see ``Call/plugins(_:)``.
        public var plugins: [any Plugin] = []
        /// When a request that failed is sent again; `nil`, the default, is never.
        public var retry: RetryPolicy?
        /// The user's own judge of failures, within what is safe; none by default.
        ///
        /// Its ``RetryHandler/numberOfRetries`` takes the place of the policy's; waits are those of ``retry``, or of a policy
        /// with its defaults.
        public var retryHandler: (any RetryHandler)?
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
        /// Who knows whether there is a way to the internet; the monitor of the whole process by default.
        ///
        /// A WebSocket, a subscription or an ``EventSource`` that waits before it connects again does so as soon as there is
        /// a way, and ``offlineQueue`` asks it. A request that fails for want of a network is told as that, and where the
        /// monitor watches and knows that there is none at all, at once. With `nil` nobody is asked.
        public var networkMonitor: NetworkMonitor? = .shared
        /// Keeps requests while there is no way to the internet; `nil`, the default, lets them fail.
        public var offlineQueue: OfflineQueue?
        /// How soon a request gets a connection where others wait, too; normal by default.
        public var priority = RequestPriority.normal
        /// Values of the user's own that travel with every request; see ``TransportOptions/userInfo``.
        public var userInfo = UserInfo()
        /// How much is written to the log; nothing by default.
        public var logLevel = LogLevel.none
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
        /// Where the steps that wait take the time from; the system's clocks by default.
        public var time = TimeSource.system
        /// Where steps that scatter their waits take chance from.
        package var random = RandomSource.system
        /// Where closures are called and publishers deliver; the main queue by default.
        public var callbackQueue = CallbackQueue.main

        /// Creates the default configuration.
        public init() {}

        /// The largest body of a response with a status from 300 on, in bytes: that of an error, or of a value where such a
        /// status is accepted.
        package var largestErrorBody: Int {
            max(maximumErrorBodyBytes, acceptableStatusCodes.reaches(300) ? maximumCollectedBytes : 0)
        }

        /// Creates a configuration with fields and query items for every request.
        ///
        /// - Parameters:
        ///   - additionalHeaders: Fields that every request gets unless it sets its own.
        ///   - additionalParameters: Query items that every request gets, sorted by name.
        ///   - logLevel: How much is written to the log.
        public init(
            additionalHeaders: [String: String] = [:],
            additionalParameters: [String: any CustomStringConvertible & Sendable] = [:],
            logLevel: LogLevel = .none
        ) {
            headers = additionalHeaders
            self.logLevel = logLevel
            query = QueryItems(
                additionalParameters.sorted { $0.key < $1.key }
                    .map { QueryItem(name: $0.key, value: $0.value.description) })
        }
    }
}

/// The configuration of an ``APIClient``.
public typealias APIClientConfiguration = APIClient.Configuration
