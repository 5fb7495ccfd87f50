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
        /// The header field in which each call gets an identifier of its own; `nil`, the default, gives none.
        public var requestIDHeader: String?
        /// What calls are answered from instead of the network.
        public var caching = Caching()

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
        /// Which responses are success, and what becomes of the others.
        public var validation = Validation()

        /// Which redirects are followed; up to 20 by default, none from `https` to `http`, no credential to another origin.
        public var redirects = RedirectPolicy()
        /// Keeps the cookies that servers set and sends them back, such as `.memory`; `nil`, the default, does neither.
        ///
        /// A `Cookie` field of a request's own is sent, too: cookies of the same names are not added to it.
        public var cookies: (any CookieStore)?
        /// How JSON is decoded and encoded.
        public var coding = Coding()

        /// The user's own steps around every call, the first outermost; none by default.
        ///
        /// They see a call once, whatever the steps below them do: retry, follow redirects, answer from a cache.
        public var interceptors: [Interceptor] = []
        /// How requests prove who sends them; `nil`, the default, sends no credentials.
        public var authentication: Authentication?
        /// Whether requests get credentials, and refused ones new ones; on by default.
        public var allowsAuthentication = true
        /// Which origin credentials are held to where there is no base URL; `nil`, the default, holds them to none.
        package var credentialsBase: CallContext.Base?
        /// The user's own steps around every attempt on the wire, the first outermost; none by default.
        ///
        /// They see the request as it is sent, with what the other steps added, and the response with its
        /// ``TransportResponse/connection``.
        public var networkInterceptors: [Interceptor] = []
        /// When a request that failed is sent again; `nil`, the default, is never.
        public var retry: RetryPolicy?
        /// What protects servers, and calls where a server or the network fails.
        public var resilience = Resilience()
        /// Who knows whether there is a way to the internet; the monitor of the whole process by default.
        ///
        /// A WebSocket, a subscription or an ``EventSource`` that waits before it connects again does so as soon as there is
        /// a way, and ``Resilience/offlineQueue`` asks it. A request that fails for want of a network is told as that, and where the
        /// monitor watches and knows that there is none at all, at once. With `nil` nobody is asked.
        public var networkMonitor: NetworkMonitor? = .shared
        /// How soon a request gets a connection where others wait, too; normal by default.
        public var priority = RequestPriority.normal
        /// Values of the user's own that travel with every request; see ``TransportOptions/userInfo``.
        public var userInfo = UserInfo()
        /// What is told of calls, and to whom.
        public var logging = Logging()
        /// Where the steps that wait take the time from; the system's clocks by default.
        public var time = TimeSource.system
        /// Where steps that scatter their waits take chance from.
        package var random = RandomSource.system
        /// Settings that SimorghCompatibility keeps here.
        package var compatibility = UserInfo()
        /// Steps that SimorghCompatibility adds.
        package var addedSteps = AddedSteps()
        /// Changes ``retry`` for each call; `nil`, the default, leaves it.
        package var retryOverride: RetryOverride?
        /// Where closures are called and publishers deliver; the main queue by default.
        public var callbackQueue = CallbackQueue.main

        /// Creates the default configuration.
        public init() {}

        /// The largest body of a response with a status from 300 on, in bytes: that of an error, or of a value where such a
        /// status is accepted.
        package var largestErrorBody: Int {
            max(maximumErrorBodyBytes, validation.statusCodes.reaches(300) ? maximumCollectedBytes : 0)
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
            logging.level = logLevel
            query = QueryItems(
                additionalParameters.sorted { $0.key < $1.key }
                    .map { QueryItem(name: $0.key, value: $0.value.description) })
        }
    }
}

/// The configuration of an ``APIClient``.
public typealias APIClientConfiguration = APIClient.Configuration
