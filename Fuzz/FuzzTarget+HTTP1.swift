// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import SimorghCore
import SimorghNIO
import SimorghRealtime

extension FuzzTarget {
    /// An HTTP/1.1 response: read alike however its bytes are split, as NIO reads it, and never read to the end if NIO
    /// refuses it.
    static let http1Response = FuzzTarget(name: "http1-response") { bytes in
        let isHead = bytes.below(8) == 0
        let piece = 1 + bytes.below(16)
        let input = bytes.rest
        guard !input.isEmpty else { return }
        let whole = HTTP1Reading.ours(input, isHead: isHead, piece: input.count)
        precondition(HTTP1Reading.ours(input, isHead: isHead, piece: piece) == whole, "read differently in pieces")
        // Our trailers are separate, whatever their names, while NIO applies framing fields in them.
        guard let whole, whole.isWhole, !isHead, !whole.hasFramingTrailer, !HTTP1Reading.isLenient(input) else {
            return
        }
        let strict = HTTP1Reading.withCRLF(input)
        precondition(
            HTTP1Reading.theirs(input) == whole || HTTP1Reading.theirs(strict) == whole, "NIO reads it differently")
    }
}

/// A parsed response.
private struct HTTP1Reading: Equatable {
    var status = 0
    var fields: [String] = []
    var body: [UInt8] = []
    var isWhole = false
    var hasFramingTrailer = false

    /// Returns our reading, `nil` if refused; parses twice with one parser, like consecutive responses of a connection.
    static func ours(_ bytes: [UInt8], isHead: Bool, piece: Int) -> HTTP1Reading? {
        var parser = ResponseParser()
        let first = read(&parser, bytes, isHead: isHead, piece: piece)
        guard let first, first.isWhole else { return first }
        precondition(read(&parser, bytes, isHead: isHead, piece: piece) == first, "read differently the second time")
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

    /// True if the bytes may hold a form that we accept as the RFCs require and NIO refuses: a folded field, a repeated
    /// length, another transfer coding than `chunked`, blanks in chunk extensions, a control character in a value.
    static func isLenient(_ bytes: [UInt8]) -> Bool {
        let isControl = { (byte: UInt8) in (byte < 0x20 && ![0x09, 0x0A, 0x0D].contains(byte)) || byte == 0x7F }
        guard !bytes.contains(where: isControl) else { return true }
        // CR LF is one Character of a String.
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

    /// Returns NIO's reading; `nil` if NIO refuses it.
    static func theirs(_ bytes: [UInt8]) -> HTTP1Reading? {
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        do {
            try channel.pipeline.syncOperations.addHandler(
                ByteToMessageHandler(HTTPResponseDecoder(leftOverBytesStrategy: .dropBytes)))
            let request = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
            try channel.writeOutbound(HTTPClientRequestPart.head(request))
            // Bytes behind the response cause a separate error, after the response was read.
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

    /// Returns the value without outer blanks; NIO keeps a tab at its end, which RFC 9110 (5.5) removes.
    private static func trimmed(_ value: String) -> String {
        var bytes = Array(value.utf8)[...]
        while bytes.first == 0x20 || bytes.first == 0x09 { bytes.removeFirst() }
        while bytes.last == 0x20 || bytes.last == 0x09 { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the bytes with the lines of the head ended by CR LF, and no blank before it: RFC 9112 leaves both to the
    /// recipient (2.2, 5), and NIO accepts neither.
    ///
    /// NIO also stops after an interim response with HTTP/1.0 or `Connection: close`. We continue like other clients,
    /// since an interim response has no content in any version (RFC 9110, 15.2).
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
            // An interim head is followed by another head.
            if line.isEmpty, !isInterim { return result + bytes[(index + 1)...] }
            line = []
        }
        return result + line
    }
}
