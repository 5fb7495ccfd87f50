// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghSupport

extension StreamingResponse {
    /// The body byte by byte.
    ///
    /// Reading ``chunks`` costs a fraction of it.
    public var bytes: ResponseBytes { chunks.bytes }

    /// Returns the body as lines of text, each as soon as its end has arrived.
    ///
    /// A line ends in LF, CR LF or CR.
    ///
    /// - Parameters:
    ///   - limit: The longest line to accept, in bytes. Default: 1 MiB. A negative limit is zero. A longer line ends
    ///     the stream with ``StreamingError/lineTooLong(limitBytes:)``.
    ///   - blankLines: The handling of empty lines. Default: they are kept.
    ///   - invalidUTF8: The handling of bytes that are not valid UTF-8. Default: they are replaced.
    /// - Returns: The lines. They can be iterated once, as ``chunks``.
    public func lines(
        limit: Int = 1024 * 1024,
        blankLines: ResponseLines.BlankLines = .kept,
        invalidUTF8: ResponseLines.InvalidUTF8 = .replaced
    ) -> ResponseLines {
        chunks.lines(limit: limit, blankLines: blankLines, invalidUTF8: invalidUTF8)
    }

    /// Reads the body line by line without creating strings: for gigabytes of data.
    ///
    /// See ``ResponseBody/forEachLine(limit:_:)`` for an example.
    ///
    /// - Parameters:
    ///   - limit: The longest line to accept, in bytes. Default: 1 MiB. A negative limit is zero.
    ///   - take: Receives a line without its terminator; if it throws, reading ends.
    /// - Throws: ``StreamingError/lineTooLong(limitBytes:)``, the error of the body, or the error of `take`.
    public func forEachLine(limit: Int = 1024 * 1024, _ take: (Span<UInt8>) throws -> Void) async throws {
        try await chunks.forEachLine(limit: limit, take)
    }

    /// Returns the body as JSON records, one on each line (NDJSON, JSON Lines).
    ///
    /// Skips blank lines.
    ///
    /// - Parameters:
    ///   - type: The model of a record.
    ///   - decoder: The decoder of the records. Default: the call's own decoder.
    ///   - limit: The largest record to accept, in bytes. Default: 1 MiB. A larger one ends the stream with
    ///     ``StreamingError/lineTooLong(limitBytes:)``.
    ///   - undecodable: The handling of a record that cannot be decoded. Default: it ends the stream with
    ///     ``RecordError``, which contains its line number.
    /// - Returns: The records. They can be iterated once, as ``chunks``.
    public func ndjson<Model: Decodable & Sendable>(
        as type: Model.Type = Model.self,
        decoder: JSONDecoder? = nil,
        limit: Int = 1024 * 1024,
        undecodable: UndecodableRecords = .refused
    ) -> JSONRecords<Model> {
        chunks.ndjson(as: type, decoder: decoder ?? self.decoder, limit: limit, undecodable: undecodable)
    }

    /// Returns the records of a JSON text sequence (RFC 7464, `application/json-seq`).
    ///
    /// - Parameters:
    ///   - type: The model of a text.
    ///   - decoder: The decoder of the texts. Default: the call's own decoder.
    ///   - limit: The largest text to accept, in bytes. Default: 1 MiB. A larger one ends the stream with
    ///     ``StreamingError/recordTooLong(limitBytes:)``.
    ///   - undecodable: The handling of a text that is truncated or cannot be decoded. Default: it ends the stream.
    /// - Returns: The texts. They can be iterated once, as ``chunks``.
    public func jsonSequence<Model: Decodable & Sendable>(
        as type: Model.Type = Model.self,
        decoder: JSONDecoder? = nil,
        limit: Int = 1024 * 1024,
        undecodable: UndecodableRecords = .refused
    ) -> JSONRecords<Model> {
        chunks.jsonSequence(as: type, decoder: decoder ?? self.decoder, limit: limit, undecodable: undecodable)
    }

    /// Returns the elements of a body that is one JSON array of any size, each decoded as soon as it has arrived.
    ///
    /// - Parameters:
    ///   - type: The model of an element.
    ///   - decoder: The decoder of the elements. Default: the call's own decoder.
    ///   - limit: The largest element to accept, in bytes. Default: 1 MiB. A larger one ends the stream with
    ///     ``StreamingError/recordTooLong(limitBytes:)``.
    ///   - undecodable: The handling of an element that cannot be decoded. Default: it ends the stream. A body that is
    ///     not an array always ends the stream with ``StreamingError/malformedArray(reason:offset:)``.
    /// - Returns: The elements. They can be iterated once, as ``chunks``.
    public func jsonArray<Model: Decodable & Sendable>(
        of type: Model.Type = Model.self,
        decoder: JSONDecoder? = nil,
        limit: Int = 1024 * 1024,
        undecodable: UndecodableRecords = .refused
    ) -> JSONRecords<Model> {
        chunks.jsonArray(of: type, decoder: decoder ?? self.decoder, limit: limit, undecodable: undecodable)
    }

    /// Returns the body as server-sent events (WHATWG HTML, section 9.2).
    ///
    /// If the media type of the response is not `text/event-stream`, reading throws
    /// ``StreamingError/notAnEventStream(contentType:)``. This stream does not reconnect; ``EventSource`` does.
    ///
    /// - Parameter limit: The largest size of all lines of an event together, in bytes. Default: 1 MiB. A larger event
    ///   ends the stream with ``StreamingError/eventTooLong(limitBytes:)``.
    /// - Returns: The events. They can be iterated once, as ``chunks``.
    public func serverSentEvents(limit: Int = 1024 * 1024) -> ServerSentEvents {
        serverSentEvents(limit: limit, after: "")
    }

    /// Returns the events of a stream that resumes after an event id.
    package func serverSentEvents(limit: Int, after lastEventID: String) -> ServerSentEvents {
        let type = headers[.contentType]
        let isEventStream = type.map { MediaTypePattern.matches($0, pattern: "text/event-stream") } ?? false
        return ServerSentEvents(
            chunks,
            limit: limit,
            lastEventID: lastEventID,
            // 204 ends the stream; it has neither a body nor a media type.
            refusal: isEventStream || statusCode == 204 ? nil : .notAnEventStream(contentType: type)
        )
    }

    /// Returns the body as JSON values, with the framing that the media type or else the first byte indicates.
    ///
    /// The framing is server-sent events with JSON data, an RFC 7464 sequence, an array under `application/json`, or
    /// one value on each line.
    package func values<Model: Decodable & Sendable>(as type: Model.Type = Model.self, limit: Int) -> JSONRecords<Model>
    {
        JSONRecords(
            body: chunks,
            parser: JSONRecordParser(contentType: headers[.contentType], limit: limit),
            decoder: decoder,
            undecodable: .refused
        )
    }
}
