// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Reads an event stream as the WHATWG HTML standard says (section 9.2.6), byte for byte.
///
/// Two rules are ours. An id that no header field can carry is ignored, as the standard says of one with NUL. An event
/// whose lines are longer together than the limit ends the stream.
package struct ServerSentEventParser: RecordParser {
    private var splitter: LineSplitter
    private var reader: Reader

    /// Creates a parser.
    ///
    /// - Parameters:
    ///   - limit: The most bytes of an event, and of a line.
    ///   - lastEventID: The last id of the stream that this one goes on with.
    package init(limit: Int, lastEventID: String = "") {
        splitter = LineSplitter(.any, limit: limit)
        reader = Reader(limit: max(0, limit), lastEventID: lastEventID)
    }

    /// The id to go on after, as of the last blank line.
    package var lastEventID: String { reader.lastEventID }

    /// How long the server wants to be left alone before a reconnection, where it said; at most an hour.
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

    /// What the end of the body cuts short is no event: without a blank line, nothing is dispatched.
    package mutating func finish() throws(StreamingError) -> ServerSentEvent? { nil }

    private static func take(
        _ reader: inout Reader, _ line: UnsafeRawBufferPointer
    ) throws(StreamingError) -> ServerSentEvent? {
        try reader.take(line)
    }
}

extension ServerSentEventParser {
    /// What the lines so far add up to.
    private struct Reader: Sendable {
        let limit: Int
        /// As of the last blank line.
        var lastEventID: String
        var reconnectionTime: Duration?
        private var id: String
        private var event = ""
        private var data: String?
        private var size = 0
        private var isFirstLine = true

        init(limit: Int, lastEventID: String) {
            self.limit = limit
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
            let colon = line.firstPlace(of: UInt8(ascii: ":"), in: 0..<line.count)
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
            guard let data else { return nil }
            return ServerSentEvent(data: data, event: event.isEmpty ? "message" : event, id: id)
        }

        private mutating func takeRetry(_ value: UnsafeRawBufferPointer) {
            guard !value.isEmpty, value.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return }
            // Digits that fit no number are a long time, too.
            let milliseconds = Int64(String(decoding: value, as: UTF8.self)) ?? .max
            reconnectionTime = .milliseconds(min(milliseconds, 3_600_000))
        }
    }
}
