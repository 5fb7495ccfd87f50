// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A record of a stream that is not what was asked for: which, where in it, and what it looked like.
public struct RecordFailure: Error, Sendable {
    /// The number of the line, or of the record where they are not lines, from 1.
    public let number: Int
    /// The record's first 512 bytes as text.
    public let snippet: String
    /// The name of the type that was asked for.
    public let type: String
    /// The way to the field, such as `users[3].name`; empty at the top.
    public let path: String
    /// What is wrong with it.
    public let message: String
    /// The decoder's own error; `nil` where it was not asked.
    public let underlying: (any Error)?

    private let record: Data

    package init(_ record: JSONRecord, type: any Any.Type, _ error: (any Error)?) {
        number = record.number
        self.record = record.bytes
        let text = String(decoding: record.bytes.prefix(512), as: UTF8.self)
        snippet = record.bytes.count > 512 ? text + "…" : text
        self.type = String(describing: type)
        underlying = error
        let place = error.map { DecodingPlace($0, in: record.bytes) }
        path = place?.path ?? ""
        message = place?.message ?? record.defect ?? ""
    }
}

extension RecordFailure {
    /// The failure of a response whose body is this record.
    package func failure(of head: CollectedResponse) -> DecodingFailure {
        var response = head
        response.body = record
        return DecodingFailure(self, response)
    }
}

extension RecordFailure: CustomStringConvertible {
    /// One line: the record, the type, where it failed and why, and the start of the record.
    public var description: String {
        let place = path.isEmpty ? "" : " at \(path)"
        return "record \(number) could not be decoded as \(type)\(place): \(message) It begins: \(snippet)"
    }
}

/// What becomes of a record that cannot be decoded.
public enum UndecodableRecords: Sendable {
    /// It ends the stream: ``RecordFailure`` is thrown.
    case refused
    /// It is handed to a closure, and the next one is read.
    case skipped(@Sendable (RecordFailure) -> Void)
}

extension DecodingFailure {
    /// The failure of one record of a stream; the response's body is that record.
    fileprivate init(_ failure: RecordFailure, _ response: CollectedResponse) {
        self.init(
            type: failure.type, path: failure.path, message: "record \(failure.number): \(failure.message)",
            underlying: failure, response: response)
    }
}
