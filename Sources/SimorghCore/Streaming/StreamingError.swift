// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// An error in the content of a stream, as opposed to an error of the network.
@nonexhaustive
public enum StreamingError: Error, Sendable, Hashable {
    /// The server rejected the stream, and the response body is larger than an error may keep.
    ///
    /// The limit is ``APIClient/Configuration/maximumErrorBodyBytes``. Default: 1 MiB.
    case errorPayloadTooLarge(limitBytes: Int)
    /// A line is longer than the limit.
    case lineTooLong(limitBytes: Int)
    /// A JSON record is larger than the limit.
    case recordTooLong(limitBytes: Int)
    /// The lines of a server-sent event together are larger than the limit.
    case eventTooLong(limitBytes: Int)
    /// A line, counted from 1, contains bytes that are not valid UTF-8, and the caller chose to reject them.
    case invalidUTF8(line: Int)
    /// The body is not one JSON array: the reason, and the offset in the body in bytes.
    case malformedArray(reason: String, offset: Int)
    /// The media type of the response is not `text/event-stream`; `nil` if the response has no media type.
    case notAnEventStream(contentType: String?)
}

extension StreamingError: CustomStringConvertible {
    /// A description of the error, and of the remedy if there is one.
    public var description: String {
        switch self {
        case .errorPayloadTooLarge(let limit):
            "the body of the rejected response is larger than maximumErrorBodyBytes (\(limit) bytes)"
        case .lineTooLong(let limit): "a line of the stream is longer than the limit of \(limit) bytes"
        case .recordTooLong(let limit): "a record of the stream is larger than the limit of \(limit) bytes"
        case .eventTooLong(let limit): "an event of the stream is larger than the limit of \(limit) bytes"
        case .invalidUTF8(let line): "line \(line) of the stream is not UTF-8"
        case .malformedArray(let reason, let offset): "the stream is not a JSON array: \(reason), at byte \(offset)"
        case .notAnEventStream(let type):
            "expected Content-Type text/event-stream, but the response has \(type ?? "none")"
        }
    }
}

// With this conformance, Foundation's `localizedDescription` returns our description.
extension StreamingError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
