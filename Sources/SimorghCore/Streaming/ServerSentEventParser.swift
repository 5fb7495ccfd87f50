// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A parser of event streams, as the WHATWG HTML standard defines them (section 9.2.6).
///
/// Two rules are additions: an event id that is not a valid header field value is ignored, as the standard says of an
/// id with NUL; and an event whose lines together exceed the limit ends the stream.
package struct ServerSentEventParser: RecordParser {
    private var splitter: LineSplitter
    private var reader: Reader

    /// Creates a parser.
    ///
    /// - Parameters:
    ///   - limit: The largest event and the longest line, in bytes.
    ///   - lastEventID: The last id of the stream that this one resumes.
    ///   - dispatchesWithoutData: True to return a named event without a `data` line, with empty data. The standard
    ///     ignores it, but many servers end a GraphQL subscription with one.
    package init(limit: Int, lastEventID: String = "", dispatchesWithoutData: Bool = false) {
        splitter = LineSplitter(.any, limit: limit)
        reader = Reader(
            limit: max(0, limit), lastEventID: lastEventID, dispatchesWithoutData: dispatchesWithoutData)
    }

    /// The id to resume after, as of the last blank line.
    package var lastEventID: String { reader.lastEventID }

    /// The reconnection time that the server sent, at most one hour; `nil` if it sent none.
    package var reconnectionTime: Duration? { reader.reconnectionTime }

    package mutating func next(
        in bytes: UnsafeRawBufferPointer, at position: inout Int
    ) throws(StreamingError) -> ServerSentEvent? {
        do {
            while let event = try splitter.next(in: bytes, at: &position, for: &reader, Self.take) {
                if let event { return event }
            }
            return nil
        } catch .lineTooLong(let limit) {
            throw .eventTooLong(limitBytes: limit)
        }
    }

    /// Returns `nil`: an event that the end of the body truncates is not dispatched, since its blank line is missing.
    package mutating func finish() throws(StreamingError) -> ServerSentEvent? { nil }

    private static func take(
        _ reader: inout Reader, line: UnsafeRawBufferPointer
    ) throws(StreamingError) -> ServerSentEvent? {
        try reader.take(line)
    }
}

extension ServerSentEventParser {
    /// Collects the lines of an event.
    private struct Reader: Sendable {
        let limit: Int
        let dispatchesWithoutData: Bool
        /// The event id as of the last blank line.
        var lastEventID: String
        var reconnectionTime: Duration?
        private var id: String
        private var event = ""
        private var data: String?
        private var size = 0
        private var isFirstLine = true

        init(limit: Int, lastEventID: String, dispatchesWithoutData: Bool) {
            self.limit = limit
            self.dispatchesWithoutData = dispatchesWithoutData
            self.lastEventID = lastEventID
            id = lastEventID
        }

        mutating func take(_ line: UnsafeRawBufferPointer) throws(StreamingError) -> ServerSentEvent? {
            var line = line
            if isFirstLine {
                isFirstLine = false
                if line.starts(with: ByteOrderMark.bytes) {
                    line = line[bytes: ByteOrderMark.bytes.count..<line.count]
                }
            }
            guard let first = line.first else { return dispatch() }
            guard first != UInt8(ascii: ":") else { return nil }
            let colon = line.firstOffset(of: UInt8(ascii: ":"), in: 0..<line.count)
            var value = line[bytes: min(colon + 1, line.count)..<line.count]
            if value.first == 0x20 { value = value[bytes: 1..<value.count] }
            size += line.count
            guard size <= limit else { throw .eventTooLong(limitBytes: limit) }
            let name = line[bytes: 0..<colon]
            if name.isText("data") {
                let text = String(decoding: value, as: UTF8.self)
                if data == nil {
                    data = text
                } else {
                    data?.append("\n")
                    data?.append(text)
                }
            } else if name.isText("event") {
                event = String(decoding: value, as: UTF8.self)
            } else if name.isText("id") {
                if HeaderRules.isValue(value) { id = String(decoding: value, as: UTF8.self) }
            } else if name.isText("retry") {
                takeRetry(value)
            }
            return nil
        }

        private mutating func dispatch() -> ServerSentEvent? {
            lastEventID = id
            defer {
                event = ""
                data = nil
                size = 0
            }
            guard data != nil || dispatchesWithoutData && !event.isEmpty else { return nil }
            return ServerSentEvent(data: data ?? "", event: event.isEmpty ? "message" : event, id: id)
        }

        private mutating func takeRetry(_ value: UnsafeRawBufferPointer) {
            guard !value.isEmpty, value.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return }
            // A number that is too large for Int64 is also a long time.
            let milliseconds = Int64(String(decoding: value, as: UTF8.self)) ?? .max
            reconnectionTime = .milliseconds(min(milliseconds, 3_600_000))
        }
    }
}
