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
    /// Whether a retry had moved the request to another origin, whose answer this is.
    package var isFromElsewhere = false
    /// Where the fields behind the body are put; `nil` where there are none.
    package var trailerFields: ResponseTrailers?

    /// The fields that came behind the body; empty until the body was read to its end, and where none came.
    public var trailers: HTTPFields { trailerFields?.fields ?? HTTPFields() }

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
        self.head = head
        self.body = body
        self.timings = timings
        self.connection = connection
    }

    /// Creates a response with the fields behind its body, whole at once: to change it afterwards costs a copy.
    package init(
        head: HTTPResponse, body: ResponseBody, timings: ExchangeTimings, connection: ConnectionInfo?,
        trailerFields: ResponseTrailers?
    ) {
        self.head = head
        self.body = body
        self.timings = timings
        self.connection = connection
        self.trailerFields = trailerFields
    }
}
