// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import SimorghCore
import SimorghNIO

extension FuzzTarget {
    /// A response of HTTP/1.1: read alike however its bytes are cut, as NIO reads it, and never read whole where NIO
    /// refuses it.
    static let http1Response = FuzzTarget(name: "http1-response") { bytes in
        let isHead = bytes.below(8) == 0
        let piece = 1 + bytes.below(16)
        let input = bytes.rest
        guard !input.isEmpty else { return }
        let whole = HTTP1Reading.ours(input, isHead: isHead, piece: input.count)
        precondition(HTTP1Reading.ours(input, isHead: isHead, piece: piece) == whole, "read otherwise in pieces")
        // Trailers are kept apart whatever they are called, while NIO reads of the framing in them, too.
        guard let whole, whole.isWhole, !isHead, !whole.hasFramingTrailer, !HTTP1Reading.isLenient(input) else {
            return
        }
        let strict = HTTP1Reading.withCRLF(input)
        precondition(
            HTTP1Reading.theirs(input) == whole || HTTP1Reading.theirs(strict) == whole, "NIO reads something else")
    }
}

/// A response as a parser read it.
private struct HTTP1Reading: Equatable {
    var status = 0
    var fields: [String] = []
    var body: [UInt8] = []
    var isWhole = false
    var hasFramingTrailer = false

    /// What we read, `nil` where we refuse; a second time by the same parser, as the next response of a connection.
    static func ours(_ bytes: [UInt8], isHead: Bool, piece: Int) -> HTTP1Reading? {
        var parser = ResponseParser()
        let first = read(&parser, bytes, isHead: isHead, piece: piece)
        guard let first, first.isWhole else { return first }
        precondition(read(&parser, bytes, isHead: isHead, piece: piece) == first, "read otherwise the second time")
        return first
    }

    private static func read(
        _ parser: inout ResponseParser, _ bytes: [UInt8], isHead: Bool, piece: Int
    ) -> HTTP1Reading? {
        parser.begin(isHead: isHead, limits: ResponseLimits())
        var reading = HTTP1Reading()
        var buffer = ByteBuffer()
        var rest = bytes[...]
        do {
            while !rest.isEmpty, !reading.isWhole {
                buffer.writeBytes(rest.prefix(piece))
                rest = rest.dropFirst(piece)
                while let event = try parser.next(&buffer) {
                    switch event {
                    case .head(let head):
                        for field in head.response.headerFields {
                            precondition(field.withUnsafeBytesOfValue { $0.allSatisfy(HeaderRules.isReceivableByte) })
                        }
                        reading.status = head.response.status.code
                        reading.fields = head.response.headerFields.map { "\($0.name.canonicalName): \($0.value)" }
                    case .body(let body): reading.body += body.readableBytesView
                    case .end: reading.isWhole = true
                    }
                }
            }
            let framing: [HTTPField.Name] = [.contentLength, .transferEncoding, .connection, .upgrade]
            reading.hasFramingTrailer = framing.contains { parser.trailerFields.contains($0) }
            return reading
        } catch {
            return nil
        }
    }

    /// True if the bytes may hold a form that we read as the RFCs want and NIO does not: a folded field, a length given
    /// several times, another transfer coding than `chunked`, blanks in chunk extensions, a control character in a value.
    static func isLenient(_ bytes: [UInt8]) -> Bool {
        let isControl = { (byte: UInt8) in (byte < 0x20 && ![0x09, 0x0A, 0x0D].contains(byte)) || byte == 0x7F }
        guard !bytes.contains(where: isControl) else { return true }
        // CR and LF together are one character of a string.
        let text = String(decoding: bytes.filter { $0 != 0x0D }, as: UTF8.self).lowercased()
        if text.contains("\n ") || text.contains("\n\t") { return true }
        let lines = text.utf8.split(separator: 0x0A).map { String(Substring($0)) }
        let lengths = lines.filter { $0.hasPrefix("content-length") }
        if lengths.count > 1 || lengths.contains(where: { $0.contains(",") }) { return true }
        let codings = lines.filter { $0.hasPrefix("transfer-encoding") }
        guard let coding = codings.first else { return false }
        if codings.count > 1 || trimmed(coding) != "transfer-encoding: chunked" {
            return true
        }
        return [" ;", "\t;", "; ", ";\t", " =", "\t=", "= ", "=\t"].contains { text.contains($0) }
    }

    /// What NIO reads; `nil` where it refuses.
    static func theirs(_ bytes: [UInt8]) -> HTTP1Reading? {
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        do {
            try channel.pipeline.syncOperations.addHandler(
                ByteToMessageHandler(HTTPResponseDecoder(leftOverBytesStrategy: .dropBytes)))
            let request = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
            try channel.writeOutbound(HTTPClientRequestPart.head(request))
            // What lies behind the response is an error of its own, met after the response was read.
            let fault = Result { try channel.writeInbound(ByteBuffer(bytes: bytes)) }
            var reading = HTTP1Reading()
            while !reading.isWhole, let part = try channel.readInbound(as: HTTPClientResponsePart.self) {
                switch part {
                case .head(let head):
                    reading.status = Int(head.status.code)
                    reading.fields = head.headers.map { "\($0.lowercased()): \(trimmed($1))" }
                case .body(let body): reading.body += body.readableBytesView
                case .end: reading.isWhole = true
                }
            }
            if !reading.isWhole { _ = try fault.get() }
            return reading
        } catch {
            return nil
        }
    }

    /// NIO leaves a tab at the end of a value, which RFC 9110 (5.5) has taken off.
    private static func trimmed(_ value: String) -> String {
        var bytes = Array(value.utf8)[...]
        while bytes.first == 0x20 || bytes.first == 0x09 { bytes.removeFirst() }
        while bytes.last == 0x20 || bytes.last == 0x09 { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The same with the lines of the head ended by CR LF, and no blank before it: two things that RFC 9112 leaves to the
    /// reader (2.2, 5), and NIO does not take.
    ///
    /// Nor does NIO read on behind an interim response that says HTTP/1.0 or that the connection ends, as we do like
    /// others: it has no content in any version (RFC 9110, 15.2).
    static func withCRLF(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var line: [UInt8] = []
        var isInterim = false
        for (index, byte) in bytes.enumerated() {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                continue
            }
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            while line.last == UInt8(ascii: "\t") || line.last == UInt8(ascii: " ") { line.removeLast() }
            if line.starts(with: "HTTP/1.".utf8), line.count >= 10 {
                isInterim = line[9] == UInt8(ascii: "1") && !line[9...].starts(with: "101".utf8)
                if isInterim { line[7] = UInt8(ascii: "1") }
            }
            let name = String(decoding: line.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self).lowercased()
            let isOfConnection = name == "connection" || name == "proxy-connection"
            if !isInterim || !isOfConnection { result += line + [0x0D, 0x0A] }
            // The head behind an interim one is a head like it.
            if line.isEmpty, !isInterim { return result + bytes[(index + 1)...] }
            line = []
        }
        return result + line
    }
}
