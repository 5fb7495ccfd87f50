// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes

/// What one attempt on the wire gave: the head of the response, its body, and how it came.
public struct TransportResponse: Sendable {
    /// The status and the header fields.
    public var head: HTTPResponse
    /// The body: collected already, or still arriving; see ``TransportOptions/delivery``.
    public var body: ResponseBody
    /// How long each phase took, as far as it had gone when the response was handed over.
    public var timings: ExchangeTimings
    /// The connection it came over; `nil` where there was none (a script, a cache).
    public var connection: ConnectionInfo?
    /// How many attempts were made on the wire for it; 1 unless a step or the engine sent the request again.
    public var attempts = 1
    /// The redirects that were followed to it, in their order; empty where it answers the request's own URL.
    public var redirects: [Redirection] = []
    /// What the client's cache did for it; `nil` where there is none.
    public package(set) var cacheReport: CacheReport?
    /// The cookies that the server's own message sets, where the head is a stored one's; `nil` where it is the server's.
    package var receivedCookies: [HTTPField]?
    /// The header fields of the request as they were sent; `nil` where nobody below a cache might have changed them.
    package var sentFields: HTTPFields?
    /// Whether it is the answer to a request that another call had sent before, which keeps it where it is to be kept.
    package var isFollowing = false
    /// Whether a retry had moved the request to another origin, whose answer this is.
    package var isFromElsewhere = false
    /// True if the body goes on after what is in memory: it was larger than an error keeps.
    package var isBodyTruncated = false
    /// The error that cut the body off, if there was one.
    package var bodyFailure: (any Error)?
    /// Where is put what only the end of the body tells; `nil` where there is nothing to be told.
    package var ending: ResponseEnding?

    /// The fields that came behind the body; empty until the body was read to its end, and where none came.
    public var trailers: HTTPFields { ending?.fields ?? HTTPFields() }

    /// How the whole exchange went, with the bytes each way and the time of the last one; `nil` while its body is still
    /// arriving, and where the transport does not tell.
    public var finalTimings: ExchangeTimings? { body.collectedBytes == nil ? ending?.timings : timings }
}

// The initializers call the memberwise one, which exists because they are in an extension: an initializer that assigns to
// properties with initial values copies the whole value at its end, and destroys the copy.
extension TransportResponse {
    /// Creates a response.
    ///
    /// - Parameters:
    ///   - head: The status and the header fields.
    ///   - body: The body, collected or arriving.
    ///   - timings: How long each phase took.
    ///   - connection: The connection it came over.
    public init(
        head: HTTPResponse,
        body: ResponseBody = .empty,
        timings: ExchangeTimings = ExchangeTimings(),
        connection: ConnectionInfo? = nil
    ) {
        self.init(head: head, body: body, timings: timings, connection: connection, attempts: 1)
    }

    /// Creates a response with what its end tells, whole at once: to change it afterwards costs a copy.
    package init(
        head: HTTPResponse, body: ResponseBody, timings: ExchangeTimings, connection: ConnectionInfo?,
        ending: ResponseEnding?, attempts: Int = 1, cacheReport: CacheReport? = nil,
        receivedCookies: [HTTPField]? = nil
    ) {
        self.init(
            head: head, body: body, timings: timings, connection: connection, attempts: attempts, redirects: [],
            cacheReport: cacheReport, receivedCookies: receivedCookies, ending: ending)
    }
}
