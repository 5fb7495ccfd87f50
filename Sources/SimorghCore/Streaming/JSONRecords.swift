// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// The records of a body, each decoded as soon as its last byte has arrived; like the body they can be iterated once.
public struct JSONRecords<Model: Decodable & Sendable>: AsyncSequence, Sendable {
    /// A record.
    public typealias Element = Model
    /// ``RecordFailure``, ``StreamingError``, or what the body throws.
    public typealias Failure = any Error

    let body: ResponseBody
    let parser: JSONRecordParser
    let decoder: JSONDecoder
    let undecodable: UndecodableRecords

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator {
        Iterator(records: RecordIterator(body, parser), decoder: decoder, undecodable: undecodable)
    }

    /// Reads a body record by record.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var records: RecordIterator<JSONRecordParser>?
        fileprivate let decoder: JSONDecoder
        fileprivate let undecodable: UndecodableRecords

        /// The next record, or `nil` at the end.
        ///
        /// - Parameter actor: The isolation of the caller.
        /// - Returns: The next record.
        /// - Throws: ``RecordFailure``, ``StreamingError``, or what the body throws.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Model? {
            while let record = try await records?.next(isolation: actor) {
                if record.endsStream {
                    records?.leave()
                    break
                }
                let failure: RecordFailure
                if record.defect != nil {
                    failure = RecordFailure(record, type: Model.self, nil)
                } else {
                    do {
                        return try decoder.decode(Model.self, from: record.bytes)
                    } catch {
                        failure = RecordFailure(record, type: Model.self, error)
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
    /// The body as records of JSON, one on each line (NDJSON, JSON Lines); blank lines are left out.
    ///
    /// - Parameters:
    ///   - type: The model of a record.
    ///   - decoder: Decodes the records.
    ///   - limit: The longest record to accept, in bytes; 1 MiB by default. A longer one ends the stream with
    ///     ``StreamingError/lineTooLong(limitBytes:)``.
    ///   - undecodable: What becomes of a record that cannot be decoded; it ends the stream by default.
    /// - Returns: The records, read from the network only as fast as they are taken.
    public func ndjson<Model: Decodable & Sendable>(
        as type: Model.Type = Model.self,
        decoder: JSONDecoder = JSONDecoder(),
        limit: Int = 1024 * 1024,
        undecodable: UndecodableRecords = .refused
    ) -> JSONRecords<Model> {
        records(.lines, decoder, limit, undecodable)
    }

    /// The body as a JSON text sequence (RFC 7464, `application/json-seq`).
    ///
    /// - Parameters:
    ///   - type: The model of a text.
    ///   - decoder: Decodes the texts.
    ///   - limit: The longest text to accept, in bytes; 1 MiB by default. A longer one ends the stream with
    ///     ``StreamingError/recordTooLong(limitBytes:)``.
    ///   - undecodable: What becomes of a text that is cut short or cannot be decoded; it ends the stream by default.
    /// - Returns: The texts, read from the network only as fast as they are taken.
    public func jsonSequence<Model: Decodable & Sendable>(
        as type: Model.Type = Model.self,
        decoder: JSONDecoder = JSONDecoder(),
        limit: Int = 1024 * 1024,
        undecodable: UndecodableRecords = .refused
    ) -> JSONRecords<Model> {
        records(.sequence, decoder, limit, undecodable)
    }

    /// The elements of a body that is one array of JSON, each decoded as soon as it has arrived; no more of the array than
    /// one element is held in memory.
    ///
    /// - Parameters:
    ///   - type: The model of an element.
    ///   - decoder: Decodes the elements.
    ///   - limit: The longest element to accept, in bytes; 1 MiB by default. A longer one ends the stream with
    ///     ``StreamingError/recordTooLong(limitBytes:)``.
    ///   - undecodable: What becomes of an element that cannot be decoded; it ends the stream by default. What is no array
    ///     ends it always, with ``StreamingError/malformedArray(reason:offset:)``.
    /// - Returns: The elements, read from the network only as fast as they are taken.
    public func jsonArray<Model: Decodable & Sendable>(
        of type: Model.Type = Model.self,
        decoder: JSONDecoder = JSONDecoder(),
        limit: Int = 1024 * 1024,
        undecodable: UndecodableRecords = .refused
    ) -> JSONRecords<Model> {
        records(.array, decoder, limit, undecodable)
    }

    private func records<Model: Decodable & Sendable>(
        _ framing: JSONFraming, _ decoder: JSONDecoder, _ limit: Int, _ undecodable: UndecodableRecords
    ) -> JSONRecords<Model> {
        JSONRecords(
            body: self, parser: JSONRecordParser(framing, limit: limit), decoder: decoder, undecodable: undecodable)
    }
}
