// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// What a request sends after its head.
///
/// A body knows its type, its length where that can be known, and whether it can be sent again: retry, redirect and
/// resume ask it. A value to encode is encoded when the request is made, with the encoder of the call.
public struct RequestBody: Sendable {
    /// Whether a body can be sent more than once.
    public enum Replayability: Sendable, Hashable, Comparable {
        /// Once: a retry would have nothing to send.
        case once
        /// Any number of times, each from its first byte.
        case replayable
        /// Any number of times, from any byte.
        case seekable
    }

    /// How an `Encodable` value becomes bytes.
    public enum Encoding: Sendable, Hashable {
        /// JSON, as `application/json`.
        case json
        /// Fields, as `application/x-www-form-urlencoded` of the WHATWG URL standard.
        case form
    }

    /// Where the bytes come from.
    package enum Content: Sendable {
        case empty
        case bytes(Data)
        case encodable(any Encodable & Sendable, Encoding)
        /// Bodies one after the other, of which some are not encoded yet.
        case pieces([RequestBody])
        case chunks(@Sendable () -> any AsyncIteratorProtocol<Data, any Error>)
    }

    package var content: Content
    /// The value for `Content-Type`, unless the request sets its own; `nil` for none.
    public var contentType: String?
    /// The number of bytes before they are compressed, where it is known before they are read; `nil` sends chunks.
    public let length: Int64?
    /// Whether the body can be sent again.
    public let replayability: Replayability
    /// How it is made smaller on the wire; `nil`, unless ``compressed(_:)`` said so, for not at all.
    public internal(set) var coding: Coding?
    /// The fields behind it; `nil` for none.
    package var trailers: RequestTrailers?

    /// No body at all.
    public static let empty = RequestBody(content: .empty, contentType: nil, length: 0, replayability: .seekable)

    /// Whether there is no body; a body of zero bytes is one.
    public var isEmpty: Bool {
        guard case .empty = content else { return false }
        return true
    }

    /// The bytes of a body that is in memory; `nil` for one that is not encoded yet, or read as it is sent.
    public var bytes: Data? {
        switch content {
        case .empty: Data()
        case .bytes(let bytes): bytes
        case .encodable, .pieces, .chunks: nil
        }
    }

    /// Whether all of it can be sent as it is; what is not is encoded when the request is made.
    package var isEncoded: Bool {
        switch content {
        case .encodable, .pieces: false
        case .empty, .bytes, .chunks: true
        }
    }

    /// The same body once its bytes were read: what it says of itself stays, and so do the fields behind it.
    ///
    /// - Parameter bytes: What was read of it.
    /// - Returns: A body that can be sent again; none where there was none.
    package func holding(_ bytes: Data) -> RequestBody {
        guard !isEmpty else { return self }
        var body = RequestBody.bytes(bytes, contentType: contentType)
        body.coding = coding
        body.trailers = trailers
        return body
    }

    /// A body of bytes.
    ///
    /// - Parameters:
    ///   - bytes: The body.
    ///   - contentType: Its media type; `nil` sends none.
    /// - Returns: The body.
    public static func bytes(_ bytes: Data, contentType: String? = "application/octet-stream") -> RequestBody {
        RequestBody(
            content: .bytes(bytes), contentType: contentType, length: Int64(bytes.count), replayability: .seekable)
    }

    /// A body of text in UTF-8.
    ///
    /// - Parameters:
    ///   - text: The body.
    ///   - contentType: Its media type.
    /// - Returns: The body.
    public static func text(_ text: String, contentType: String = "text/plain; charset=utf-8") -> RequestBody {
        .bytes(Data(text.utf8), contentType: contentType)
    }

    /// A value as JSON, encoded by the call's encoder.
    ///
    /// - Parameter value: The value.
    /// - Returns: The body, encoded when the request is made.
    public static func json(_ value: any Encodable & Sendable) -> RequestBody {
        RequestBody(
            content: .encodable(value, .json), contentType: "application/json", length: nil, replayability: .seekable)
    }

    /// A value's fields as a form: nested as `a[b]=`, lists as `a[]=`.
    ///
    /// - Parameter value: The value, which encodes as an object.
    /// - Returns: The body, encoded when the request is made.
    public static func form(_ value: any Encodable & Sendable) -> RequestBody {
        RequestBody(
            content: .encodable(value, .form),
            contentType: "application/x-www-form-urlencoded",
            length: nil,
            replayability: .seekable
        )
    }

    /// Chunks made anew each time the body is sent.
    ///
    /// - Parameters:
    ///   - length: The number of bytes, where it is known; another number is an error, sent or not.
    ///   - contentType: The media type; `nil` sends none.
    ///   - chunks: Makes the chunks. Called once for each time the body is sent.
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

    /// Chunks that can be read once; a request with such a body is never sent again.
    ///
    /// - Parameters:
    ///   - chunks: The chunks, read only as fast as the network takes them.
    ///   - length: The number of bytes, where it is known; another number is an error, sent or not.
    ///   - contentType: The media type; `nil` sends none.
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

    /// A file, read in chunks as it is sent, on a queue that may block.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - contentType: Its media type.
    /// - Returns: The body, which can be sent again from any byte.
    /// - Throws: ``InvalidRequest`` when there is no such file or it cannot be read.
    public static func file(
        _ path: String, contentType: String = "application/octet-stream"
    ) throws -> RequestBody {
        try contents(of: path, contentType: contentType)
    }

    /// As ``file(_:contentType:)``, with the type of the error.
    package static func contents(
        of path: String, contentType: String = "application/octet-stream"
    ) throws(InvalidRequest) -> RequestBody {
        let length = try FileChunks.length(of: path)
        return RequestBody(
            content: .chunks { FileChunks(path: path, length: length).makeAsyncIterator() },
            contentType: contentType,
            length: length,
            replayability: .seekable
        )
    }
}

extension RequestBody {
    // By the memberwise initializer, for the reason in TransportResponse.
    package init(content: Content, contentType: String?, length: Int64?, replayability: Replayability) {
        self.init(
            content: content, contentType: contentType, length: length, replayability: replayability, coding: nil)
    }
}
