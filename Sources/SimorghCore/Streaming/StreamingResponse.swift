// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
import SimorghSupport

/// A response whose body is still arriving: status and header fields are here, the body is read once, in the form of your
/// choice.
///
/// ```swift
/// let response = try await client.stream(.get, "log")
/// for try await line in response.lines() { print(line) }
/// ```
/// The body is read from the network only as fast as it is taken, and decompressed before anything else. Leaving the loop,
/// letting the response go, or cancelling the task closes the exchange at once; a body read to its end leaves the
/// connection to the next request.
public struct StreamingResponse: Sendable {
    /// The status code.
    public let statusCode: Int
    /// The header fields.
    public let headers: HTTPFields
    /// The URL that answered, which is the last one where redirects were followed.
    public let url: String
    /// The redirects that were followed to it, in their order.
    public let redirects: [Redirection]
    /// The body as it arrives, in the chunks in which it came; it can be iterated once.
    ///
    /// What goes wrong on the way is thrown as ``NetworkError``; a second iteration, in whatever form, is a fault of the
    /// program and throws ``ResponseBody/AlreadyConsumed``.
    public let chunks: ResponseBody
    /// How long each phase took, up to the head.
    public let timings: ExchangeTimings
    /// How the whole exchange went, with the bytes each way and the time of the last one; `nil` while the body is still
    /// arriving, and where the transport does not tell.
    public var finalTimings: ExchangeTimings? { ending?.timings }
    /// The fields that came behind the body; empty until the body was read to its end, and where none came.
    public var trailers: HTTPFields { ending?.fields ?? HTTPFields() }
    /// The connection it comes over.
    public let connection: ConnectionInfo?
    /// What the client's cache did for it; `nil` where there is none.
    public var cacheReport: CacheReport? { head.cacheReport }
    /// The response without its body, for errors.
    package let head: CollectedResponse
    /// Decodes the records, unless somebody gives another one.
    package let decoder: JSONDecoder
    private let ending: ResponseEnding?

    package init(head: CollectedResponse, chunks: ResponseBody, decoder: JSONDecoder, ending: ResponseEnding? = nil) {
        self.ending = ending
        statusCode = head.statusCode
        headers = head.headers
        url = head.url
        redirects = head.redirects
        timings = head.timings
        connection = head.connection
        self.chunks = chunks
        self.head = head
        self.decoder = decoder
    }
}
