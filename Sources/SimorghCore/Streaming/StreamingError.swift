// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Why a stream was not read further, where the network is not to blame.
@nonexhaustive
public enum StreamingError: Error, Sendable, Hashable {
    /// The server refused the stream, and the body of its answer is longer than an error may keep
    /// (``APIClient/Configuration/maximumErrorBodyBytes``, 1 MiB by default).
    case errorPayloadTooLarge(limitBytes: Int)
    /// A line is longer than the bound given for it.
    case lineTooLong(limitBytes: Int)
    /// A record of JSON is longer than the bound given for it.
    case recordTooLong(limitBytes: Int)
    /// The lines of a server-sent event are longer, together, than the bound given for them.
    case eventTooLong(limitBytes: Int)
    /// A line, counted from 1, holds bytes that are no UTF-8, and that was to be refused.
    case invalidUTF8(line: Int)
    /// The body is not one array of JSON: what is wrong, and how many bytes into the body.
    case malformedArray(reason: String, offset: Int)
    /// The response is of another media type than `text/event-stream`; `nil` where it names none.
    case notAnEventStream(contentType: String?)
}

extension StreamingError: CustomStringConvertible {
    /// What happened and, where something can be done, what.
    public var description: String {
        switch self {
        case .errorPayloadTooLarge(let limit):
            "the body of the refusal is longer than the \(limit) bytes that an error keeps"
        case .lineTooLong(let limit): "a line of the stream is longer than the bound of \(limit) bytes"
        case .recordTooLong(let limit): "a record of the stream is longer than the bound of \(limit) bytes"
        case .eventTooLong(let limit): "an event of the stream is longer than the bound of \(limit) bytes"
        case .invalidUTF8(let line): "line \(line) of the stream is not UTF-8"
        case .malformedArray(let reason, let offset): "the stream is no JSON array: \(reason), at byte \(offset)"
        case .notAnEventStream(let type):
            "the response is \(type ?? "of no media type"), where text/event-stream is wanted"
        }
    }
}
