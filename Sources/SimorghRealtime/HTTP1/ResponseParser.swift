// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
package import SimorghCore
import SimorghSupport

/// A parser that turns the bytes of a server into heads, body parts and ends: a value that returns one event at a
/// time.
///
/// It stops at the end of the response: further bytes stay in the buffer, and their presence means that the connection
/// must not carry another exchange. It stores only the last head, if that is small, and the head that is being parsed,
/// within the limits.
package struct ResponseParser: Sendable {
    package enum Step: Sendable {
        /// A head; if its status is below 200, another one follows.
        case head(ResponseHead)
        /// A part of the body: the last bytes that were consumed, at least one.
        case body(count: Int)
        /// The end of the response.
        case end
    }

    /// The reason why the bytes are not a valid response; the parser must not be used afterwards.
    package enum ParseError: Error, Equatable, Sendable {
        case malformed(String)
        case headTooLarge(Int)
        case tooManyFields(Int)
    }

    /// The way to find the end of a body.
    enum Framing: Equatable {
        case none
        case length(Int)
        case chunked
        case untilClose
    }

    private enum State: Equatable {
        case statusLine
        case fields
        case length(Int)
        case chunkSize
        case chunk(Int)
        case chunkEnd
        case trailers
        case untilClose
        case ended
    }

    /// The maximum number of interim responses before a final one.
    package static let maximumInterimResponses = 32
    /// The maximum length of a line that is not a field: a status line, or a chunk size with its extensions.
    package static let maximumLineLength = 8 * 1024
    /// The maximum excess of chunk extensions of a body over their allowance, in bytes.
    package static let maximumExtensionBytes = 64 * 1024

    private var state = State.ended
    private var reader = ResponseHeadReader()
    private var cache = ResponseHeadCache()
    private var isHead = false
    private var isConnect = false
    private var limits = ResponseLimits()
    /// The size of the fields or trailers so far, in bytes.
    private var fieldBytes = 0
    private var trailers = 0
    /// The excess of chunk extensions over the allowance of their chunks, in bytes.
    private var extensionBytes = 0
    /// The trailers, once the body has ended.
    package private(set) var trailerFields = HTTPFields()
    /// The last trailer, if it continues on further lines.
    private var foldedTrailer = FoldedValue()
    /// The number of bytes of the current line that were searched for its end.
    private var searched = 0

    package init() {}

    /// Begins with the response to a new request.
    ///
    /// - Parameters:
    ///   - isHead: True for a `HEAD` request.
    ///   - limits: The limits of the head.
    ///   - isConnect: True for a `CONNECT` request; its success has no body whatever its fields say.
    package mutating func begin(isHead: Bool, limits: ResponseLimits, isConnect: Bool = false) {
        self.isHead = isHead
        self.isConnect = isConnect
        self.limits = limits
        state = .statusLine
        searched = 0
        extensionBytes = 0
        if !trailerFields.isEmpty { trailerFields = HTTPFields() }
    }

    /// True if the end of the connection is the regular end of the body.
    package var isUntilClose: Bool { state == .untilClose }

    /// The outstanding bytes of a body with a known length; otherwise 0.
    package var remainingLength: Int { if case .length(let rest) = state { rest } else { 0 } }

    /// Parses the next event.
    ///
    /// - Parameters:
    ///   - bytes: The unparsed bytes.
    ///   - consumed: The number of bytes that were parsed; they must not be passed again.
    /// - Returns: The event; `nil` if there are not enough bytes, and after the end.
    /// - Throws: ``ParseError``.
    package mutating func next(
        _ bytes: UnsafeRawBufferPointer, consumed: inout Int
    ) throws(ParseError) -> Step? {
        while true {
            switch state {
            case .ended: return nil
            case .statusLine, .fields:
                return try readHead(bytes, consumed: &consumed)
            case .length(0):
                state = .ended
                return .end
            case .length(let rest):
                guard let count = Self.take(bytes, upTo: rest, consumed: &consumed) else { return nil }
                state = .length(rest - count)
                return .body(count: count)
            case .chunk(let rest):
                guard let count = Self.take(bytes, upTo: rest, consumed: &consumed) else { return nil }
                state = rest == count ? .chunkEnd : .chunk(rest - count)
                return .body(count: count)
            case .untilClose:
                guard let count = Self.take(bytes, upTo: .max, consumed: &consumed) else { return nil }
                return .body(count: count)
            case .chunkEnd:
                let rest = bytes[consumed...]
                guard rest.prefix(2).elementsEqual("\r\n".utf8.prefix(rest.count)) else {
                    throw .malformed("a chunk is longer than its size")
                }
                guard rest.count >= 2 else { return nil }
                consumed += 2
                state = .chunkSize
            case .chunkSize:
                guard
                    try readLines(
                        bytes, consumed: &consumed,
                        take: { parser, line throws(ParseError) in try parser.takeChunkSize(line) })
                else {
                    return nil
                }
            case .trailers:
                guard
                    try readLines(
                        bytes, consumed: &consumed,
                        take: { parser, line throws(ParseError) in try parser.takeTrailer(line) })
                else {
                    return nil
                }
                state = .ended
                return .end
            }
        }
    }

    /// Returns the number of bytes of the body that are taken; `nil` if the body needs more bytes.
    private static func take(_ bytes: UnsafeRawBufferPointer, upTo limit: Int, consumed: inout Int) -> Int? {
        let count = min(limit, bytes.count - consumed)
        guard count > 0 else { return nil }
        consumed += count
        return count
    }

    // MARK: The head

    private mutating func readHead(
        _ bytes: UnsafeRawBufferPointer, consumed: inout Int
    ) throws(ParseError) -> Step? {
        let unread = UnsafeRawBufferPointer(rebasing: bytes[consumed...])
        let start = consumed
        let isWhole = state == .statusLine && searched == 0
        if isWhole, let (head, framing, count) = cache.repetition(in: unread, isHead: isHead, limits: limits) {
            consumed += count
            begin(framing, after: head)
            return .head(head)
        }
        guard
            try readLines(
                bytes, consumed: &consumed, take: { parser, line throws(ParseError) in try parser.takeHead(line) })
        else {
            if state == .statusLine, !ResponseHeadReader.isHTTP1(UnsafeRawBufferPointer(rebasing: bytes[consumed...])) {
                throw .malformed("the server does not speak HTTP/1")
            }
            return nil
        }
        try reader.settle()
        let lines = reader.hasRewrittenFields ? [] : reader.lines
        let (head, framing) = try reader.finish(isHead: isHead)
        reader = ResponseHeadReader()
        let count = consumed - start
        if isWhole, count <= ResponseHeadCache.maximumSize, head.shape.status >= 200 {
            cache.store(
                head, framing: framing, bytes: UnsafeRawBufferPointer(rebasing: unread[..<count]), lines: lines,
                isHead: isHead, limits: limits)
        }
        begin(framing, after: head)
        return .head(head)
    }

    private mutating func begin(_ framing: Framing, after head: ResponseHead) {
        if (100..<200).contains(head.shape.status), head.shape.status != 101 {
            state = .statusLine
        } else {
            switch framing {
            case .none: state = .length(0)
            case .length(let length): state = .length(length)
            case .chunked: state = .chunkSize
            case .untilClose: state = .untilClose
            }
        }
    }

    /// - Returns: True if the head is complete.
    private mutating func takeHead(_ line: UnsafeRawBufferPointer) throws(ParseError) -> Bool {
        if state == .statusLine {
            reader = ResponseHeadReader(isConnect: isConnect)
            try reader.takeStatusLine(line)
            state = .fields
            fieldBytes = 0
            return false
        }
        guard line.count > 0 else { return true }
        try reader.takeField(line, cache: cache)
        // The collection of fields itself cannot hold more.
        if reader.count > min(limits.headerFields, 60_000) { throw .tooManyFields(limits.headerFields) }
        return false
    }

    // MARK: Chunks

    /// - Returns: True, because the size takes one line.
    private mutating func takeChunkSize(_ line: UnsafeRawBufferPointer) throws(ParseError) -> Bool {
        var size = 0
        var digits = 0
        loop: for byte in line {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            case UInt8(ascii: ";"), UInt8(ascii: " "), UInt8(ascii: "\t"): break loop
            default: throw .malformed("the size of a chunk is not a number")
            }
            size = size << 4 | Int(digit)
            digits += 1
            // One digit fewer than an integer holds, so that the size stays positive.
            guard digits < 2 * MemoryLayout<Int>.size else { throw .malformed("the chunk size is too large") }
        }
        guard digits > 0 else { throw .malformed("the size of a chunk is not a number") }
        guard ChunkExtensions.areValid(line[digits...]) else {
            throw .malformed("a chunk size is followed by an invalid chunk extension")
        }
        if line.count > digits { try countExtensions(line.count - digits, of: size) }
        fieldBytes = 0
        trailers = 0
        state = size == 0 ? .trailers : .chunk(size)
        return true
    }

    /// Limits chunk extensions: they are discarded, so many of them around few bytes only waste time and memory.
    private mutating func countExtensions(_ bytes: Int, of size: Int) throws(ParseError) {
        // The allowance of a chunk is twice its size plus 128 bytes, enough for a signature. The size is capped.
        let allowance = 2 * min(size, Self.maximumExtensionBytes) + 128
        extensionBytes = max(0, extensionBytes + bytes - allowance)
        guard extensionBytes <= Self.maximumExtensionBytes else {
            throw .malformed("the chunks of the body have more extensions than bytes")
        }
    }

    /// Stores trailers separately: none of them may change the head.
    private mutating func takeTrailer(_ line: UnsafeRawBufferPointer) throws(ParseError) -> Bool {
        guard line.count > 0 else {
            try endTrailer()
            return true
        }
        if FoldedValue.isContinuation(line) {
            guard let last = trailerFields.last else { throw .malformed("the first trailer begins with whitespace") }
            foldedTrailer.add(line, to: last)
            return false
        }
        try endTrailer()
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .malformed("a trailer has no colon") }
        guard let (name, _) = KnownField.name(UnsafeRawBufferPointer(rebasing: line[..<colon])) else {
            throw .malformed("a trailer is not a field")
        }
        trailers += 1
        if trailers > min(limits.headerFields, 60_000) { throw .tooManyFields(limits.headerFields) }
        trailerFields.append(
            try ResponseHeadReader.field(name, value: UnsafeRawBufferPointer(rebasing: line[(colon + 1)...])))
        return false
    }

    /// Completes the last trailer.
    private mutating func endTrailer() throws(ParseError) {
        guard let last = trailerFields.indices.last,
            let whole = try foldedTrailer.take(trailerFields[last].name)
        else { return }
        trailerFields[last] = whole
    }

    // MARK: Lines

    /// Passes complete lines, without their line ends, to a closure until it returns true.
    ///
    /// - Returns: True if it did; false if there is no complete line left.
    private mutating func readLines(
        _ bytes: UnsafeRawBufferPointer, consumed: inout Int,
        take: (inout ResponseParser, UnsafeRawBufferPointer) throws(ParseError) -> Bool
    ) throws(ParseError) -> Bool {
        while let end = Self.lineEnd(bytes, from: consumed + searched) {
            searched = 0
            let start = consumed
            var stop = end
            if stop > start, bytes[stop - 1] == UInt8(ascii: "\r") {
                stop -= 1
            } else if state == .chunkSize || state == .trailers {
                throw .malformed("a line between chunks does not end in CR LF")
            }
            try count(end + 1 - start)
            let line = UnsafeRawBufferPointer(rebasing: bytes[start..<stop])
            consumed = end + 1
            if try take(&self, line) { return true }
        }
        searched = bytes.count - consumed
        try count(0, pending: searched)
        return false
    }

    /// Checks a complete or partial line against its limit.
    private mutating func count(_ bytes: Int, pending: Int = 0) throws(ParseError) {
        switch state {
        case .fields, .trailers:
            fieldBytes += bytes
            // The empty line at the end does not count.
            if fieldBytes + pending - 2 > limits.headBytes { throw .headTooLarge(limits.headBytes) }
        default:
            if bytes + pending > Self.maximumLineLength { throw .malformed("a line is longer than 8 KiB") }
        }
    }

    private static func lineEnd(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard start < bytes.count, let base = bytes.baseAddress,
            let end = memchr(base + start, CInt(UInt8(ascii: "\n")), bytes.count - start)
        else { return nil }
        return UnsafeRawPointer(end) - base
    }
}
