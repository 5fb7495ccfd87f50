// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
public import SimorghCore
import SimorghSupport

/// A request of an ``InProcessTransport``, as a server receives it.
public struct InProcessRequest: Sendable {
    /// The method, the target and the header fields, with `Content-Length` if the length of the body is known.
    public let head: HTTPRequest
    /// The body.
    public let body: Body

    /// The body of a request: chunks that are read from the client when the responder asks for them.
    ///
    /// It can be read once; a second iteration throws ``/SimorghCore/ResponseBody/AlreadyConsumedError``.
    public struct Body: AsyncSequence, Sendable {
        /// A chunk, never empty.
        public typealias Element = Data
        /// The error of the client's source.
        public typealias Failure = any Error
        /// The iterator of a response body, which is read once, too.
        public typealias AsyncIterator = ResponseBody.Iterator

        /// The number of bytes; `nil` if it is not known in advance.
        public let length: Int64?
        /// True if the request has no body.
        public let isEmpty: Bool
        private let chunks: ResponseBody

        init(length: Int64?, isEmpty: Bool, chunks: ResponseBody) {
            self.length = length
            self.isEmpty = isEmpty
            self.chunks = chunks
        }

        /// Creates an iterator over the chunks.
        public func makeAsyncIterator() -> ResponseBody.Iterator { chunks.makeAsyncIterator() }

        /// Reads the body to its end.
        ///
        /// - Parameter limit: The largest number of bytes to accept.
        /// - Returns: The whole body.
        /// - Throws: ``/SimorghCore/ResponseBody/TooLargeError`` beyond the limit,
        ///   ``/SimorghCore/ResponseBody/AlreadyConsumedError``, or the error of the client's source.
        public func collect(upTo limit: Int) async throws -> Data { try await chunks.collect(upTo: limit) }
    }

    /// Creates the server's view of a request.
    ///
    /// - Throws: `TransportError` for a scheme that is not of HTTP, or a body that is not encoded.
    init(_ request: TransportRequest, upload: InProcessUpload) throws(TransportError) {
        var head = request.head
        guard let scheme = head.scheme, scheme == "http" || scheme == "https" else {
            throw TransportError(
                .unsupportedURL, phase: .total, message: "the scheme \(head.scheme ?? "") is not http or https",
                requestMayHaveBeenSent: false)
        }
        let body = request.body
        if !body.isEmpty, body.trailers == nil, let length = body.length {
            head.headerFields[.contentLength] = "\(length)"
        }
        self.head = head
        self.body = Body(length: body.length, isEmpty: body.isEmpty, chunks: try upload.chunks(of: body))
    }
}
