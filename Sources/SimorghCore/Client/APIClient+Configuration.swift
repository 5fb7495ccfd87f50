// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

extension APIClient {
    /// The settings of a client.
    ///
    /// A client keeps its own copy, and each call can change its own.
    public struct Configuration: Sendable {
        /// The URL that relative paths are appended to.
        ///
        /// It may have a path and a query. Default: none.
        public var baseURL: String?
        /// Returns the base URL, for one that can change.
        ///
        /// Called for each request; overrides ``baseURL``.
        public var dynamicBaseURL: (@Sendable () -> String)?
        /// The header fields of every request that does not set them itself.
        ///
        /// Default: none.
        public var headers: [String: String] = [:]
        /// The query items of every request, placed before the request's own.
        ///
        /// Default: none.
        public var query = QueryItems()
        /// The `User-Agent` of requests that set none; `nil` sends none.
        ///
        /// Default: `Simorgh/` and the version.
        public var userAgent: String? = "Simorgh/\(SimorghVersion.current)"
        /// The name of the header field that carries a unique identifier of each call.
        ///
        /// Default: `nil`, no such field.
        public var requestIDHeader: String?
        /// The caches that can answer a call without the network.
        public var caching = Caching()

        /// The time limits of each phase of a call.
        public var timeouts = Timeouts()
        /// The limits on the size of a response's parts.
        public var limits = ResponseLimits()
        /// The TLS options of connections.
        public var tls = TLSOptions()
        /// The route of connections: proxies, fixed addresses, Unix sockets.
        ///
        /// Default: directly to the host.
        public var route = RouteOptions()
        /// The kinds of networks that requests may use.
        ///
        /// Default: all.
        public var access = NetworkAccess()
        /// The HTTP version.
        ///
        /// Default: the best version that the server offers over TLS, and HTTP/1.1 without TLS.
        public var httpVersion = TransportOptions.HTTPVersion.automatic
        /// True if the client requests and decompresses gzip and deflate.
        ///
        /// Default: true.
        public var decompresses = true
        /// The largest body to collect into memory, in bytes after decompression.
        ///
        /// Default: 64 MiB.
        public var maximumCollectedBytes = 64 * 1024 * 1024
        /// The largest part of a rejected response's body that an error keeps, in bytes.
        ///
        /// Default: 1 MiB.
        public var maximumErrorBodyBytes = 1024 * 1024
        /// The rules that decide if a response is a success, and how other responses become errors.
        public var validation = Validation()

        /// The redirect policy.
        ///
        /// Default: follows up to 20 redirects, none from `https` to `http`, and sends no credentials to another
        /// origin.
        public var redirects = RedirectPolicy()
        /// The store for cookies, such as `.memory`.
        ///
        /// Default: `nil`, cookies are neither kept nor sent.
        ///
        /// If a request has its own `Cookie` field, it is sent too, and stored cookies with the same names are not
        /// added.
        public var cookies: (any CookieStore)?
        /// The policy that upgrades requests to TLS: the property `hsts` of SimorghREST.
        package var transportSecurity: (any TransportSecurityPolicy)?
        /// The JSON decoder and encoder.
        public var coding = Coding()
        /// The formats of bodies.
        ///
        /// Default: JSON alone, as with an empty list.
        ///
        /// A value without a media type, as in ``RequestBody/init(encodable:)`` and ``NetworkRouter/params``, is encoded
        /// by the first codec; one with a media type by the codec for it, else as JSON. A `Decodable` value is decoded by
        /// the codec for the `Content-Type` of the response, else by the first. `Accept` names all media types. Key paths
        /// and ``JSON`` remain JSON. A codec with an invalid media type is an ``InvalidRequestError`` of each call.
        public var codecs: [BodyCodec] = [.json]

        /// The user's interceptors around every call, the first one outermost.
        ///
        /// Default: none.
        ///
        /// They see each call once, even if inner interceptors retry it, follow redirects or answer it from a cache.
        public var interceptors: [Interceptor] = []
        /// The authentication of requests.
        ///
        /// Default: `nil`, no credentials are sent.
        public var authentication: Authentication?
        /// True if requests get credentials, and a rejected request gets new ones.
        ///
        /// Default: true.
        public var allowsAuthentication = true
        /// The origin that credentials are restricted to if there is no base URL.
        ///
        /// Default: `nil`, no restriction.
        package var credentialsBase: CallContext.Base?
        /// The user's interceptors around every attempt on the network, the first one outermost.
        ///
        /// Default: none.
        ///
        /// They see the request as it is sent, including the changes of all other interceptors, and the response with
        /// its ``TransportResponse/connection``.
        public var networkInterceptors: [Interceptor] = []
        /// The retry policy for failed requests.
        ///
        /// Default: `nil`, requests are never retried.
        public var retry: RetryPolicy?
        /// The settings that protect servers from overload, and calls from failing servers and networks.
        public var resilience = Resilience()
        /// The monitor that knows if there is a network.
        ///
        /// Default: the monitor of the process.
        ///
        /// A WebSocket, a subscription or an ``EventSource`` that waits before it reconnects does so as soon as the
        /// network is back, and ``Resilience/offlineQueue`` asks the monitor. A request that fails without a network
        /// throws ``TransportError/Code/notConnectedToInternet``, immediately if the monitor is running and knows that
        /// there is no network. With `nil` no monitor is asked.
        public var networkMonitor: NetworkMonitor? = .shared
        /// The priority of a request in the queue for a connection.
        ///
        /// Default: normal.
        public var priority = RequestPriority.normal
        /// The user's own values that travel with every request; see ``TransportOptions/userInfo``.
        public var userInfo = UserInfo()
        /// The log, the event callback and the redaction rules.
        public var logging = Logging()
        /// The clocks for all waits of the interceptors.
        ///
        /// Default: the system's clocks.
        public var time = TimeSource.system
        /// The source of randomness for jitter.
        package var random = RandomSource.system
        /// The settings that SimorghCompatibility stores here.
        package var compatibility = UserInfo()
        /// The interceptors that SimorghCompatibility adds.
        package var addedSteps = AdditionalSteps()
        /// Changes ``retry`` for each call.
        ///
        /// Default: `nil`, no change.
        package var retryOverride: RetryOverride?
        /// The queue for completion closures and publishers.
        ///
        /// Default: the main queue.
        public var callbackQueue = CallbackQueue.main

        /// Creates the default configuration.
        public init() {}

        /// The largest body of a response with a status of 300 or higher, in bytes.
        ///
        /// Such a body belongs to an error, or to a value if the client accepts the status.
        package var errorBodyLimit: Int {
            max(maximumErrorBodyBytes, validation.statusCodes.reaches(300) ? maximumCollectedBytes : 0)
        }

        /// Creates a configuration with header fields and query items for every request.
        ///
        /// - Parameters:
        ///   - additionalHeaders: The header fields of every request that does not set them itself.
        ///   - additionalParameters: The query items of every request, sorted by name.
        ///   - logLevel: The log level.
        public init(
            additionalHeaders: [String: String] = [:],
            additionalParameters: [String: any CustomStringConvertible & Sendable] = [:],
            logLevel: LogLevel = .none
        ) {
            headers = additionalHeaders
            logging.level = logLevel
            query = QueryItems(
                additionalParameters.sorted { $0.key < $1.key }
                    .map { QueryItem(name: $0.key, value: $0.value.description) })
        }
    }
}

/// The configuration of an ``APIClient``.
public typealias APIClientConfiguration = APIClient.Configuration
