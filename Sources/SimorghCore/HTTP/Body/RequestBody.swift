// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// The body of a request.
///
/// A body has a media type, a length if it is known, and a replayability, which retry, redirect and resume depend on.
/// An `Encodable` value is encoded when the request is made, with the call's encoder.
public struct RequestBody: Sendable {
    /// The number of times that a body can be sent.
    public enum Replayability: Sendable, Hashable, Comparable {
        /// Once: a retry would have no bytes to send.
        case once
        /// Any number of times, each from its first byte.
        case replayable
        /// Any number of times, from any byte.
        case seekable
    }

    /// The encoding of an `Encodable` value.
    package enum Encoding: Sendable, Hashable {
        case json
        /// Fields, as `application/x-www-form-urlencoded` of the WHATWG URL standard.
        case form
        /// The codec for the media type of the body, else JSON.
        case named
        /// The first codec, unless the media type of the body was changed.
        case first
    }

    /// The source of the bytes.
    package enum Content: Sendable {
        case empty
        case bytes(Data)
        case encodable(any Encodable & Sendable, Encoding)
        /// A concatenation of bodies, some of which are not encoded yet.
        case pieces([RequestBody])
        case chunks(@Sendable () -> any AsyncIteratorProtocol<Data, any Error>)
    }

    package var content: Content
    /// The path of the file whose bytes are the whole body, for a transport that sends files itself.
    ///
    /// Other transports read ``content``.
    package var filePath: String?
    /// The value for `Content-Type`, unless the request sets its own; `nil` to send none.
    public var contentType: String?
    /// The number of bytes before compression, if known in advance; with `nil` the body is sent in chunks.
    public let length: Int64?
    /// The number of times that the body can be sent.
    public let replayability: Replayability
    /// The content coding for sending the body, set by ``compressed(_:)``; `nil`, the default, for no compression.
    public internal(set) var coding: Coding?
    /// The trailer fields; `nil` if there are no trailers.
    package var trailers: RequestTrailers?

    /// No body.
    public static let empty = RequestBody(content: .empty, contentType: nil, length: 0, replayability: .seekable)

    /// A Boolean value that indicates whether there is no body; `false` for a body of zero bytes.
    public var isEmpty: Bool {
        guard case .empty = content else { return false }
        return true
    }

    /// The bytes of a body that is in memory; `nil` for a body that is not encoded yet, or is read as it is sent.
    public var bytes: Data? {
        switch content {
        case .empty: Data()
        case .bytes(let bytes): bytes
        case .encodable, .pieces, .chunks: nil
        }
    }

    /// True if the body can be sent as it is; otherwise it is encoded when the request is made.
    package var isEncoded: Bool {
        switch content {
        case .encodable, .pieces: false
        case .empty, .bytes, .chunks: true
        }
    }

    /// Returns the same body with its bytes in memory; its media type, coding and trailers stay.
    ///
    /// - Parameter bytes: The bytes that were read from it.
    /// - Returns: A body that can be sent again; ``empty`` stays unchanged.
    package func holding(_ bytes: Data) -> RequestBody {
        guard !isEmpty else { return self }
        var body = RequestBody.bytes(bytes, contentType: contentType)
        body.coding = coding
        body.trailers = trailers
        return body
    }

    /// Creates a body of bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - contentType: The media type; `nil` to send none.
    /// - Returns: The body.
    public static func bytes(_ bytes: Data, contentType: String? = "application/octet-stream") -> RequestBody {
        RequestBody(
            content: .bytes(bytes), contentType: contentType, length: Int64(bytes.count), replayability: .seekable)
    }

    /// Creates a body of text in UTF-8.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - contentType: The media type.
    /// - Returns: The body.
    public static func text(_ text: String, contentType: String = "text/plain; charset=utf-8") -> RequestBody {
        .bytes(Data(text.utf8), contentType: contentType)
    }

    /// Creates a body of a value as JSON, encoded by the call's encoder.
    ///
    /// - Parameter value: The value.
    /// - Returns: The body, encoded when the request is made.
    public static func json(_ value: any Encodable & Sendable) -> RequestBody {
        RequestBody(
            content: .encodable(value, .json), contentType: "application/json", length: nil, replayability: .seekable)
    }

    /// Creates a form of a value's fields, with nested values as `a[b]=` and arrays as `a[]=`.
    ///
    /// - Parameter value: The value, which must encode as an object.
    /// - Returns: The body, encoded when the request is made.
    public static func form(_ value: any Encodable & Sendable) -> RequestBody {
        RequestBody(
            content: .encodable(value, .form),
            contentType: "application/x-www-form-urlencoded",
            length: nil,
            replayability: .seekable
        )
    }

    /// Creates a body of chunks that are created again each time the body is sent.
    ///
    /// - Parameters:
    ///   - length: The number of bytes, if known; if the chunks have another length, the request fails.
    ///   - contentType: The media type; `nil` to send none.
    ///   - chunks: Creates the chunks. Called once each time the body is sent.
    /// - Returns: The body, which can be sent again.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        length: Int64? = nil,
        contentType: String? = "application/octet-stream",
        _ chunks: @escaping @Sendable () -> Chunks
    ) -> RequestBody where Chunks.Element == Data, Chunks.Failure == any Error {
        RequestBody(
            content: .chunks { chunks().makeAsyncIterator() },
            contentType: contentType,
            length: length,
            replayability: .replayable
        )
    }

    /// Creates a body of chunks that can be read only once; the request is never sent again.
    ///
    /// - Parameters:
    ///   - chunks: The chunks, read only as fast as the network takes them.
    ///   - length: The number of bytes, if known; if the chunks have another length, the request fails.
    ///   - contentType: The media type; `nil` to send none.
    /// - Returns: The body, which can be sent once.
    public static func once<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks,
        length: Int64? = nil,
        contentType: String? = "application/octet-stream"
    ) -> RequestBody where Chunks.Element == Data, Chunks.Failure == any Error {
        RequestBody(
            content: .chunks { chunks.makeAsyncIterator() },
            contentType: contentType,
            length: length,
            replayability: .once
        )
    }

    /// Creates a body of a file, read in chunks as it is sent, on a queue that may block.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - contentType: The media type.
    /// - Returns: The body, which can be sent again from any byte.
    /// - Throws: ``InvalidRequestError`` if the file does not exist or cannot be read.
    public static func file(
        _ path: String, contentType: String = "application/octet-stream"
    ) throws -> RequestBody {
        try contents(of: path, contentType: contentType)
    }

    /// Does the same as ``file(_:contentType:)``, with a typed error.
    package static func contents(
        of path: String, contentType: String = "application/octet-stream"
    ) throws(InvalidRequestError) -> RequestBody {
        let length = try FileChunks.length(of: path)
        var body = RequestBody(
            content: .chunks { FileChunks(path: path, length: length).makeAsyncIterator() },
            contentType: contentType,
            length: length,
            replayability: .seekable
        )
        body.filePath = path
        return body
    }
}

extension RequestBody {
    // Calls the memberwise initializer for the reason given in TransportResponse.
    package init(content: Content, contentType: String?, length: Int64?, replayability: Replayability) {
        self.init(
            content: content, contentType: contentType, length: length, replayability: replayability, coding: nil)
    }
}
