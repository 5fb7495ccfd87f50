// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghSupport

extension StreamingResponse {
    /// The body byte by byte; ``chunks`` costs a fraction of it.
    public var bytes: ResponseBytes { chunks.bytes }

    /// The body as lines of text, each as soon as its end has arrived.
    ///
    /// A line ends in LF, CR LF or CR.
    ///
    /// - Parameters:
    ///   - limit: The longest line to accept, in bytes; 1 MiB by default, and below zero is zero. A longer one ends the
    ///     stream with ``StreamingError/lineTooLong(limitBytes:)``.
    ///   - blankLines: What becomes of lines without a byte; they are kept by default.
    ///   - invalidUTF8: What becomes of bytes that are no UTF-8; they are replaced by default.
    /// - Returns: The lines; like ``chunks`` they can be iterated once.
    public func lines(
        limit: Int = 1024 * 1024,
        blankLines: ResponseLines.BlankLines = .kept,
        invalidUTF8: ResponseLines.InvalidUTF8 = .replaced
    ) -> ResponseLines {
        chunks.lines(limit: limit, blankLines: blankLines, invalidUTF8: invalidUTF8)
    }

    /// Reads the body line by line, without making a text of each: for bytes by the gigabyte.
    ///
    /// ``ResponseBody/forEachLine(limit:_:)`` shows how.
    ///
    /// - Parameters:
    ///   - limit: The longest line to accept, in bytes; 1 MiB by default, and below zero is zero.
    ///   - take: Takes a line without its end, and ends the reading where it throws.
    /// - Throws: ``StreamingError/lineTooLong(limitBytes:)``, what the body throws, or what `take` throws.
    public func forEachLine(limit: Int = 1024 * 1024, _ take: (Span<UInt8>) throws -> Void) async throws {
        try await chunks.forEachLine(limit: limit, take)
    }

    /// The body as records of JSON, one on each line (NDJSON, JSON Lines); blank lines are left out.
    ///
    /// - Parameters:
    ///   - type: The model of a record.
    ///   - decoder: Decodes the records; the call's own decoder by default.
    ///   - limit: The longest record to accept, in bytes; 1 MiB by default. A longer one ends the stream with
    ///     ``StreamingError/lineTooLong(limitBytes:)``.
    ///   - undecodable: What becomes of a record that cannot be decoded; it ends the stream with ``RecordFailure``, which
    ///     tells its line, by default.
    /// - Returns: The records; like ``chunks`` they can be iterated once.
    public func ndjson<Model: Decodable & Sendable>(
        as type: Model.Type = Model.self,
        decoder: JSONDecoder? = nil,
        limit: Int = 1024 * 1024,
        undecodable: UndecodableRecords = .refused
    ) -> JSONRecords<Model> {
        chunks.ndjson(as: type, decoder: decoder ?? self.decoder, limit: limit, undecodable: undecodable)
    }

    /// The body as a JSON text sequence (RFC 7464, `application/json-seq`).
    ///
    /// - Parameters:
    ///   - type: The model of a text.
    ///   - decoder: Decodes the texts; the call's own decoder by default.
    ///   - limit: The longest text to accept, in bytes; 1 MiB by default. A longer one ends the stream with
    ///     ``StreamingError/recordTooLong(limitBytes:)``.
    ///   - undecodable: What becomes of a text that is cut short or cannot be decoded; it ends the stream by default.
    /// - Returns: The texts; like ``chunks`` they can be iterated once.
    public func jsonSequence<Model: Decodable & Sendable>(
        as type: Model.Type = Model.self,
        decoder: JSONDecoder? = nil,
        limit: Int = 1024 * 1024,
        undecodable: UndecodableRecords = .refused
    ) -> JSONRecords<Model> {
        chunks.jsonSequence(as: type, decoder: decoder ?? self.decoder, limit: limit, undecodable: undecodable)
    }

    /// The elements of a body that is one array of JSON, however large, each decoded as soon as it has arrived.
    ///
    /// - Parameters:
    ///   - type: The model of an element.
    ///   - decoder: Decodes the elements; the call's own decoder by default.
    ///   - limit: The longest element to accept, in bytes; 1 MiB by default. A longer one ends the stream with
    ///     ``StreamingError/recordTooLong(limitBytes:)``.
    ///   - undecodable: What becomes of an element that cannot be decoded; it ends the stream by default. What is no array
    ///     ends it always, with ``StreamingError/malformedArray(reason:offset:)``.
    /// - Returns: The elements; like ``chunks`` they can be iterated once.
    public func jsonArray<Model: Decodable & Sendable>(
        of type: Model.Type = Model.self,
        decoder: JSONDecoder? = nil,
        limit: Int = 1024 * 1024,
        undecodable: UndecodableRecords = .refused
    ) -> JSONRecords<Model> {
        chunks.jsonArray(of: type, decoder: decoder ?? self.decoder, limit: limit, undecodable: undecodable)
    }

    /// The body as server-sent events (WHATWG HTML, section 9.2).
    ///
    /// A response of another media type than `text/event-stream` throws ``StreamingError/notAnEventStream(contentType:)``
    /// when it is read. ``EventSource`` reconnects where this ends.
    ///
    /// - Parameter limit: The most bytes of an event's lines together; 1 MiB by default. A larger one ends the stream with
    ///   ``StreamingError/eventTooLong(limitBytes:)``.
    /// - Returns: The events; like ``chunks`` they can be iterated once.
    public func serverSentEvents(limit: Int = 1024 * 1024) -> ServerSentEvents {
        serverSentEvents(limit: limit, after: "")
    }

    /// The events of a stream that goes on after an id.
    package func serverSentEvents(limit: Int, after lastEventID: String) -> ServerSentEvents {
        let type = headers[.contentType]
        let isEventStream = type.map { MediaTypePattern.matches($0, "text/event-stream") } ?? false
        return ServerSentEvents(
            chunks,
            limit: limit,
            lastEventID: lastEventID,
            // 204 has neither a body nor a type: it ends the stream.
            refusal: isEventStream || statusCode == 204 ? nil : .notAnEventStream(contentType: type)
        )
    }

    /// The body as values of JSON, framed as its media type or else its first byte says: server-sent events whose data is
    /// JSON, an RFC 7464 sequence, an array under `application/json`, or one value on each line.
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
