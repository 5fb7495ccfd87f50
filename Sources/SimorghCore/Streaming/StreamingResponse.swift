// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
import SimorghSupport

/// A response whose body is still arriving.
///
/// The status and header fields are available; the body can be read once.
///
/// ```swift
/// let response = try await client.stream(.get, "log")
/// for try await line in response.lines() { print(line) }
/// ```
/// The body can be read in several formats. It is read from the network only as fast as it is consumed, and
/// decompressed first. Leaving the loop, releasing the response, or cancelling the task closes the exchange
/// immediately; reading the body to its end keeps the connection for the next request.
public struct StreamingResponse: Sendable {
    /// The status code.
    public var statusCode: Int { head.statusCode }
    /// The header fields.
    public var headers: HTTPFields { head.headers }
    /// The URL that responded; the last one if redirects were followed.
    public var url: String { head.url }
    /// The redirects that were followed, in order.
    public var redirects: [Redirection] { head.redirects }
    /// The body in the chunks in which it arrives.
    ///
    /// It can be iterated once.
    ///
    /// Failures while reading are thrown as ``NetworkError``. A second iteration, in any format, is a programming error
    /// and throws ``ResponseBody/AlreadyConsumedError``.
    public let chunks: ResponseBody
    /// The durations of the phases up to the head.
    public var timings: ExchangeTimings { head.timings }
    /// The timings of the whole exchange, with byte counts in both directions and the time of the last byte.
    ///
    /// `nil` while the body is still arriving, and if the transport does not measure them.
    public var finalTimings: ExchangeTimings? { ending?.timings }
    /// The trailers.
    ///
    /// Empty until the body was read to its end, and if the server sent none.
    public var trailers: HTTPFields { ending?.fields ?? HTTPFields() }
    /// The connection that the response came over.
    public var connection: ConnectionInfo? { head.connection }
    /// The decision of the client's cache; `nil` without a cache.
    public var cacheReport: CacheReport? { head.cacheReport }
    /// The response without its body, for error values.
    package let head: CollectedResponse
    /// The default decoder of records.
    package let decoder: JSONDecoder
    private let ending: ResponseCompletion?

    package init(head: CollectedResponse, chunks: ResponseBody, decoder: JSONDecoder, ending: ResponseCompletion? = nil)
    {
        self.ending = ending
        self.chunks = chunks
        self.head = head
        self.decoder = decoder
    }
}
