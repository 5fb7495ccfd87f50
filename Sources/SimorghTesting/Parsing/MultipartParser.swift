// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
package import SimorghSupport

/// Parses a `multipart/form-data` body incrementally (RFC 2046, section 5.1, and RFC 7578).
///
/// It is strict, as a test server should be: line endings are CRLF, every part has a name, and the closing delimiter is
/// required. It buffers at most a part's head or a possible delimiter.
package struct MultipartParser: Sendable {
    /// The error for an invalid body.
    package struct ParseError: Error, Hashable {
        package let message: String

        init(_ message: String) { self.message = message }
    }

    package struct Head: Sendable, Hashable {
        package var name: String?
        package var filename: String?
        package var contentType: String?
    }

    package enum Event: Sendable, Hashable {
        case began(Head)
        case bytes([UInt8])
        case ended
    }

    private enum State {
        /// Before the first delimiter.
        case preamble
        /// After a delimiter: a line ending follows, or the two hyphens of the last one.
        case delimiter
        case head
        case body
        case complete
    }

    package static let headLimit = 16 * 1024
    package static let partLimit = 1000

    private let opening: [UInt8]
    private let delimiter: [UInt8]
    private var state = State.preamble
    private var buffer: [UInt8] = []
    private var partCount = 0

    package init(boundary: String) {
        opening = Array("--\(boundary)".utf8)
        delimiter = Array("\r\n--\(boundary)".utf8)
    }

    /// True if the closing delimiter has arrived.
    package var isComplete: Bool {
        if case .complete = state { true } else { false }
    }

    /// Returns the boundary of a content type.
    package static func boundary(of contentType: String) throws(ParseError) -> String {
        guard let value = HeaderParameters(contentType), value.value.lowercased() == "multipart/form-data" else {
            throw ParseError("the content type is not multipart/form-data")
        }
        guard let boundary = value["boundary"] else { throw ParseError("the content type names no boundary") }
        let marks = Set("'()+_,-./:=? ".unicodeScalars)
        let isValid = boundary.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || marks.contains(scalar))
        }
        guard (1...70).contains(boundary.utf8.count), isValid, !boundary.hasSuffix(" ") else {
            throw ParseError("the boundary is not valid")
        }
        return boundary
    }

    /// Splits a whole body into its parts.
    package static func parts(
        of body: Data, contentType: String
    ) throws(ParseError) -> [(head: Head, bytes: [UInt8])] {
        var parser = MultipartParser(boundary: try boundary(of: contentType))
        var parts: [(head: Head, bytes: [UInt8])] = []
        for event in try parser.read(body) {
            switch event {
            case .began(let head): parts.append((head, []))
            case .bytes(let bytes): parts[parts.count - 1].bytes += bytes
            case .ended: continue
            }
        }
        guard parser.isComplete else { throw ParseError("the body ends before its closing delimiter") }
        return parts
    }

    /// Parses the next bytes of the body.
    package mutating func read(_ bytes: some Sequence<UInt8>) throws(ParseError) -> [Event] {
        buffer.append(contentsOf: bytes)
        var events: [Event] = []
        var start = 0
        while try step(from: &start, into: &events) {}
        buffer.removeFirst(start)
        return events
    }

    /// Performs one step from `start`.
    ///
    /// Returns false if more bytes are needed.
    private mutating func step(from start: inout Int, into events: inout [Event]) throws(ParseError) -> Bool {
        switch state {
        case .preamble:
            guard buffer.count - start >= opening.count else { return false }
            guard buffer[start..<start + opening.count].elementsEqual(opening) else {
                throw ParseError("the body does not begin with its delimiter")
            }
            start += opening.count
            state = .delimiter
            return true
        case .delimiter:
            guard buffer.count - start >= 2 else { return false }
            let mark = buffer[start..<start + 2]
            start += 2
            if mark.elementsEqual([0x0D, 0x0A]) {
                partCount += 1
                guard partCount <= Self.partLimit else { throw ParseError("more than \(Self.partLimit) parts") }
                state = .head
            } else if mark.elementsEqual([0x2D, 0x2D]) {
                state = .complete
            } else {
                throw ParseError("a delimiter is followed by neither a line end nor two hyphens")
            }
            return true
        case .head:
            guard let end = Self.find([0x0D, 0x0A, 0x0D, 0x0A], in: buffer, from: start) else {
                guard buffer.count - start <= Self.headLimit else {
                    throw ParseError("the head of a part is too large")
                }
                return false
            }
            guard end - start <= Self.headLimit else { throw ParseError("the head of a part is too large") }
            events.append(.began(try Self.head(String(decoding: buffer[start..<end], as: UTF8.self))))
            start = end + 4
            state = .body
            return true
        case .body:
            if let end = Self.find(delimiter, in: buffer, from: start) {
                if end > start { events.append(.bytes(Array(buffer[start..<end]))) }
                events.append(.ended)
                start = end + delimiter.count
                state = .delimiter
                return true
            }
            // The last bytes may be the beginning of a delimiter.
            let end = buffer.count - (delimiter.count - 1)
            if end > start {
                events.append(.bytes(Array(buffer[start..<end])))
                start = end
            }
            return false
        case .complete:
            start = buffer.count  // What follows the closing delimiter is to be ignored.
            return false
        }
    }

    static func head(_ text: String) throws(ParseError) -> Head {
        var head = Head()
        for line in text.split(separator: "\r\n") {
            guard let colon = line.firstIndex(of: ":") else { throw ParseError("a line of a part's head has no colon") }
            let value = String(line[line.index(after: colon)...].trimmingBlanks)
            switch line[..<colon].lowercased() {
            case "content-disposition":
                guard let disposition = HeaderParameters(value), disposition.value.lowercased() == "form-data" else {
                    throw ParseError("a part's content disposition is not form-data")
                }
                head.name = disposition["name"]
                head.filename = disposition["filename"]
            case "content-type": head.contentType = value
            default: continue
            }
        }
        guard head.name != nil else { throw ParseError("a part has no name") }
        return head
    }

    /// Returns the index of a pattern.
    ///
    /// Uses `memchr` for its first byte, which is fast even in debug builds.
    static func find(_ pattern: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        bytes.withUnsafeBytes { bytes in
            pattern.withUnsafeBytes { pattern in
                guard let base = bytes.baseAddress, let wanted = pattern.baseAddress else { return nil }
                var index = start
                while index + pattern.count <= bytes.count {
                    let rest = bytes.count - pattern.count + 1 - index
                    guard let hit = memchr(base + index, CInt(pattern[0]), rest) else { return nil }
                    let found = UnsafeRawPointer(hit) - base
                    if memcmp(base + found, wanted, pattern.count) == 0 { return found }
                    index = found + 1
                }
                return nil
            }
        }
    }
}
