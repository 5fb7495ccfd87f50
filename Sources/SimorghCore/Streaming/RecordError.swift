// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// A record of a stream that could not be decoded: its number, the failing path, and its beginning.
public struct RecordError: Error, Sendable {
    /// The number of the line, or of the record if records are not lines, from 1.
    public let number: Int
    /// The record's first 512 bytes as text.
    public let snippet: String
    /// The name of the type that the record was decoded as.
    public let type: String
    /// The path to the field, such as `users[3].name`; empty at the top level.
    public let path: String
    /// The reason of the failure.
    public let message: String
    /// The decoder's error; `nil` if the decoder was not called.
    public let underlying: (any Error)?

    private let record: Data

    package init(_ record: JSONRecord, type: any Any.Type, underlying error: (any Error)?) {
        number = record.number
        self.record = record.bytes
        let text = String(decoding: record.bytes.prefix(512), as: UTF8.self)
        snippet = record.bytes.count > 512 ? text + "…" : text
        self.type = String(describing: type)
        underlying = error
        let location = error.map { DecodingLocation($0, in: record.bytes) }
        path = location?.path ?? ""
        message = location?.message ?? record.defect ?? ""
    }
}

extension RecordError {
    /// Returns the decoding failure of a response with this record as its body.
    package func failure(of head: CollectedResponse) -> ResponseDecodingError {
        var response = head
        response.body = record
        return ResponseDecodingError(self, response: response)
    }
}

extension RecordError: CustomStringConvertible {
    /// One line: the record, the type, the path and reason of the failure, and the beginning of the record.
    public var description: String {
        let location = path.isEmpty ? "" : " at \(path)"
        return "record \(number) could not be decoded as \(type)\(location): \(message) It begins: \(snippet)"
    }
}

/// The handling of a record that cannot be decoded.
public enum UndecodableRecords: Sendable {
    /// The record ends the stream: ``RecordError`` is thrown.
    case refused
    /// The record is passed to a closure, and the next one is read.
    case skipped(@Sendable (RecordError) -> Void)
}

extension ResponseDecodingError {
    /// Creates the failure of one record of a stream, with the record as the response's body.
    fileprivate init(_ failure: RecordError, response: CollectedResponse) {
        self.init(
            type: failure.type, path: failure.path, message: "record \(failure.number): \(failure.message)",
            underlying: failure, response: response)
    }
}

// With this conformance, Foundation's `localizedDescription` returns our description.
extension RecordError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
