// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// The records of a body, each decoded as soon as its last byte has arrived.
///
/// Can be iterated once, as the body.
public struct JSONRecords<Model: Decodable & Sendable>: AsyncSequence, Sendable {
    /// A record.
    public typealias Element = Model
    /// ``RecordError``, ``StreamingError``, or the error of the body.
    public typealias Failure = any Error

    let body: ResponseBody
    let parser: JSONRecordParser
    let decoder: JSONDecoder
    let undecodable: UndecodableRecords

    /// Returns an iterator that reads the body.
    public func makeAsyncIterator() -> Iterator {
        Iterator(records: RecordIterator(body, parser: parser), decoder: decoder, undecodable: undecodable)
    }

    /// Reads a body record by record.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var records: RecordIterator<JSONRecordParser>?
        fileprivate let decoder: JSONDecoder
        fileprivate let undecodable: UndecodableRecords

        /// Returns the next record, or `nil` at the end.
        ///
        /// - Parameter actor: The isolation of the caller.
        /// - Returns: The next record.
        /// - Throws: ``RecordError``, ``StreamingError``, or the error of the body.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Model? {
            while let record = try await records?.next(isolation: actor) {
                if record.endsStream {
                    records?.release()
                    break
                }
                let failure: RecordError
                if record.defect != nil {
                    failure = RecordError(record, type: Model.self, underlying: nil)
                } else {
                    do {
                        return try decoder.decode(Model.self, from: record.bytes)
                    } catch {
                        failure = RecordError(record, type: Model.self, underlying: error)
                    }
                }
                switch undecodable {
                case .skipped(let report): report(failure)
                case .refused:
                    records = nil
                    throw failure
                }
            }
            records = nil
            return nil
        }
    }
}

extension ResponseBody {
    /// Returns the body as JSON records, one on each line (NDJSON, JSON Lines).
    ///
    /// Skips blank lines.
    ///
    /// - Parameters:
    ///   - type: The model of a record.
    ///   - decoder: The decoder of the records.
    ///   - limit: The largest record to accept, in bytes. Default: 1 MiB. A larger one ends the stream with
    ///     ``StreamingError/lineTooLong(limitBytes:)``.
    ///   - undecodable: The handling of a record that cannot be decoded. Default: it ends the stream.
    /// - Returns: The records, read from the network only as fast as they are consumed.
    public func ndjson<Model: Decodable & Sendable>(
        as type: Model.Type = Model.self,
        decoder: JSONDecoder = JSONDecoder(),
        limit: Int = 1024 * 1024,
        undecodable: UndecodableRecords = .refused
    ) -> JSONRecords<Model> {
        records(.lines, decoder: decoder, limit: limit, undecodable: undecodable)
    }

    /// Returns the records of a JSON text sequence (RFC 7464, `application/json-seq`).
    ///
    /// - Parameters:
    ///   - type: The model of a text.
    ///   - decoder: The decoder of the texts.
    ///   - limit: The largest text to accept, in bytes. Default: 1 MiB. A larger one ends the stream with
    ///     ``StreamingError/recordTooLong(limitBytes:)``.
    ///   - undecodable: The handling of a text that is truncated or cannot be decoded. Default: it ends the stream.
    /// - Returns: The texts, read from the network only as fast as they are consumed.
    public func jsonSequence<Model: Decodable & Sendable>(
        as type: Model.Type = Model.self,
        decoder: JSONDecoder = JSONDecoder(),
        limit: Int = 1024 * 1024,
        undecodable: UndecodableRecords = .refused
    ) -> JSONRecords<Model> {
        records(.sequence, decoder: decoder, limit: limit, undecodable: undecodable)
    }

    /// Returns the elements of a body that is one JSON array, each decoded as soon as it has arrived.
    ///
    /// At most one element is kept in memory.
    ///
    /// - Parameters:
    ///   - type: The model of an element.
    ///   - decoder: The decoder of the elements.
    ///   - limit: The largest element to accept, in bytes. Default: 1 MiB. A larger one ends the stream with
    ///     ``StreamingError/recordTooLong(limitBytes:)``.
    ///   - undecodable: The handling of an element that cannot be decoded. Default: it ends the stream. A body that is
    ///     not an array always ends the stream with ``StreamingError/malformedArray(reason:offset:)``.
    /// - Returns: The elements, read from the network only as fast as they are consumed.
    public func jsonArray<Model: Decodable & Sendable>(
        of type: Model.Type = Model.self,
        decoder: JSONDecoder = JSONDecoder(),
        limit: Int = 1024 * 1024,
        undecodable: UndecodableRecords = .refused
    ) -> JSONRecords<Model> {
        records(.array, decoder: decoder, limit: limit, undecodable: undecodable)
    }

    private func records<Model: Decodable & Sendable>(
        _ framing: JSONFraming, decoder: JSONDecoder, limit: Int, undecodable: UndecodableRecords
    ) -> JSONRecords<Model> {
        JSONRecords(
            body: self, parser: JSONRecordParser(framing, limit: limit), decoder: decoder, undecodable: undecodable)
    }
}
