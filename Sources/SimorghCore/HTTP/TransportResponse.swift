// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes

/// The result of one attempt on the wire: the head of the response, its body, and details of the exchange.
public struct TransportResponse: Sendable {
    /// The status and the header fields.
    public var head: HTTPResponse
    /// The body: already collected, or still arriving; see ``TransportOptions/delivery``.
    public var body: ResponseBody
    /// The time that each phase took, up to the moment when the transport returned the response.
    public var timings: ExchangeTimings
    /// The connection that carried it; `nil` if none did (a test script, a cache).
    public var connection: ConnectionInfo?
    /// The number of attempts made on the wire; 1 unless a step or the engine sent the request again.
    public var attempts = 1
    /// The redirects that led to it, in order; empty if it answers the request's own URL.
    public var redirects: [Redirection] = []
    /// The part that the client's cache played; `nil` if the client has no cache.
    public package(set) var cacheReport: CacheReport?
    /// The `Set-Cookie` fields that the server sent, if the head is a stored one; `nil` if the head is the server's.
    package var receivedCookies: [HTTPField]?
    /// The request's header fields as they were sent; `nil` if no step below a cache could have changed them.
    package var sentHeaderFields: HTTPFields?
    /// True if another call had sent the request and shares its response; only that call stores it.
    package var isSharedResponse = false
    /// True if a retry had moved the request to another origin, which sent this response.
    package var wasRetriedCrossOrigin = false
    /// True if the body has more bytes than are in memory: it was larger than an error keeps.
    package var isBodyTruncated = false
    /// The error that cut the body off, if there was one.
    package var bodyFailure: (any Error)?
    /// The trailers and the final timings, set when the body ends; `nil` if the response has neither.
    package var ending: ResponseCompletion?

    /// The trailer fields; empty until the body has been read to its end, and if the server sent none.
    public var trailers: HTTPFields { ending?.fields ?? HTTPFields() }

    /// The timings of the whole exchange, with the bytes in each direction and the time of the last byte.
    ///
    /// `nil` while the body is still arriving, and if the transport does not report them.
    public var finalTimings: ExchangeTimings? { body.collectedBytes == nil ? ending?.timings : timings }
}

// The initializers call the memberwise one, which exists because they are in an extension. An initializer that
// assigns to properties with initial values copies the whole value at its end, and destroys the copy.
extension TransportResponse {
    /// Creates a response.
    ///
    /// - Parameters:
    ///   - head: The status and the header fields.
    ///   - body: The body, collected or still arriving.
    ///   - timings: The time that each phase took.
    ///   - connection: The connection that carried it.
    public init(
        head: HTTPResponse,
        body: ResponseBody = .empty,
        timings: ExchangeTimings = ExchangeTimings(),
        connection: ConnectionInfo? = nil
    ) {
        self.init(head: head, body: body, timings: timings, connection: connection, attempts: 1)
    }

    /// Creates a response with all its details at once, because changing it afterwards costs a copy.
    package init(
        head: HTTPResponse, body: ResponseBody, timings: ExchangeTimings, connection: ConnectionInfo?,
        ending: ResponseCompletion?, attempts: Int = 1, cacheReport: CacheReport? = nil,
        receivedCookies: [HTTPField]? = nil
    ) {
        self.init(
            head: head, body: body, timings: timings, connection: connection, attempts: attempts, redirects: [],
            cacheReport: cacheReport, receivedCookies: receivedCookies, ending: ending)
    }
}
