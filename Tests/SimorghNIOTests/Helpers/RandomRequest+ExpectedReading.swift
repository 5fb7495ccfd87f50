// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import SimorghCore
import SimorghNIO

/// The expected meaning of a request to a server: computed independently, and written by NIO.
extension RandomRequest {
    /// The fields that the engine writes itself or drops.
    private static let notForwarded: Set = [
        "connection", "content-length", "expect", "host", "keep-alive", "proxy-authorization", "proxy-connection", "te",
        "trailer", "transfer-encoding", "upgrade",
    ]

    /// Characters that NIO refuses and browsers send; RFC 3986 requires them to be escaped.
    private static let unescaped = Array("\"<>\\^`{|}".utf8)

    /// The bytes that follow the head that the engine writes.
    var rest: [UInt8] {
        let isWithHead = source == .bytes && !hasTrailers && !isWaiting && length <= 32 * 1024
        guard source != .nothing, !isWithHead else { return [] }
        guard framing?.name == "Transfer-Encoding" else { return Array(pieces.joined()) }
        var bytes: [UInt8] = []
        for piece in pieces where !piece.isEmpty {
            bytes += Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8)
        }
        let trailers = hasTrailers ? "\(Self.trailer.name): \(Self.trailer.value)\r\n" : ""
        return bytes + Array("0\r\n\(trailers)\r\n".utf8)
    }

    /// Returns the first fault of a request on the wire.
    ///
    /// - Parameter bytes: The whole request.
    /// - Returns: A description of the fault; `nil` for a correct request.
    func fault(in bytes: [UInt8]) -> String? {
        guard let ours = ParsedRequest.of(bytes) else { return "no parser accepts it as one request" }
        guard let written = try? written() else { return "NIO does not write it" }
        guard let theirs = ParsedRequest.of(written) else { return "no parser accepts NIO's version" }
        guard ours == theirs else { return "read as \(ours.headText)\nand NIO's version as \(theirs.headText)" }
        guard ours.body == Array(pieces.joined()) else { return "the body differs" }
        // Parsers convert values to text; the wire must hold the caller's own bytes.
        let lines = bytes.prefix(4096).split(separator: UInt8(ascii: "\n"))
        for (name, value) in fields {
            let line = Array("\(name): ".utf8) + value + Array("\r".utf8)
            guard lines.contains(where: { $0.elementsEqual(line) }) else { return "the bytes of \(name) differ" }
        }
        return nil
    }

    private func has(_ name: String) -> Bool {
        request.head.headerFields.contains(where: { $0.name.canonicalName == name })
    }

    private var isWaiting: Bool { source != .nothing && (has("expect") || request.options.continueTimeout != nil) }

    private var target: String {
        let path = request.head.path ?? ""
        return (isForProxy ? "http://\(request.head.authority ?? "")" : "") + (path.isEmpty ? "/" : path)
    }

    /// The field that frames the body.
    private var framing: (name: String, value: String)? {
        let isKnown = source != .chunks || has("content-length")
        guard isKnown, !hasTrailers else { return ("Transfer-Encoding", "chunked") }
        let expectsBody: [HTTPRequest.Method] = [.post, .put, .patch, .query]
        guard source != .nothing || expectsBody.contains(request.head.method) else { return nil }
        return ("Content-Length", String(length))
    }

    private var priority: String? {
        let isStreamed = request.options.delivery == .streamed
        return switch request.options.priority {
        case .normal: nil
        case .low: isStreamed ? "u=6, i" : "u=6"
        case .high: isStreamed ? "u=1, i" : "u=1"
        case .critical: isStreamed ? "u=0, i" : "u=0"
        }
    }

    /// All fields of the head, in order.
    private var fields: [(name: String, value: [UInt8])] {
        func bytes(_ field: HTTPField) -> [UInt8] { field.withUnsafeBytesOfValue { [UInt8]($0) } }
        var fields: [(name: String, value: [UInt8])] = []
        let host = request.head.headerFields.first { $0.name.canonicalName == "host" }
        fields.append(("Host", host.map(bytes) ?? Array((request.head.authority ?? "").utf8)))
        func add(_ name: String, _ value: String) { fields.append((name, Array(value.utf8))) }
        let cookies = request.head.headerFields[fields: .cookie]
        var hasCookie = false
        var closes = false
        for field in request.head.headerFields {
            let name = field.name.canonicalName
            if name == "connection" {
                closes = closes || field.value.lowercased().contains("close")
            } else if name == "cookie", cookies.count > 1 {
                // One field, at the position of the first one.
                let value = Array(cookies.map(bytes).joined(separator: "; ".utf8))
                if !hasCookie { fields.append(("Cookie", bytes(HTTPField(name: .cookie, value: value)))) }
                hasCookie = true
            } else if !Self.notForwarded.contains(name) {
                fields.append((field.name.rawName, bytes(field)))
            }
        }
        if isForProxy { add("Proxy-Authorization", "Basic " + Data(Self.proxyCredentials.utf8).base64EncodedString()) }
        if closes { add("Connection", "close") }
        if isWaiting { add("Expect", "100-continue") }
        let mayDecompress = request.options.decompresses && !has("accept-encoding") && !has("range")
        if mayDecompress { add("Accept-Encoding", KnownCoding.accepted) }
        if !has("priority"), let priority { add("Priority", priority) }
        if source != .nothing, !has("content-type"), let type = request.body.contentType { add("Content-Type", type) }
        if let framing { add(framing.name, framing.value) }
        if hasTrailers { add("Trailer", Self.trailer.name) }
        return fields
    }

    /// Returns the request as NIO writes it.
    ///
    /// - Returns: The bytes.
    /// - Throws: NIO's error if it refuses the request.
    private func written() throws -> [UInt8] {
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(HTTPRequestEncoder())
        if !target.utf8.contains(where: { Self.unescaped.contains($0) }) {
            try pipeline.addHandler(NIOHTTPRequestHeadersValidator())
        }
        let headers = HTTPHeaders(fields.map { ($0.name, String(decoding: $0.value, as: UTF8.self)) })
        let head = HTTPRequestHead(
            version: .http1_1, method: HTTPMethod(rawValue: request.head.method.rawValue), uri: target,
            headers: headers)
        try channel.writeOutbound(HTTPClientRequestPart.head(head))
        for piece in pieces {
            try channel.writeOutbound(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: piece))))
        }
        let trailers = hasTrailers ? HTTPHeaders([(Self.trailer.name, Self.trailer.value)]) : nil
        try channel.writeOutbound(HTTPClientRequestPart.end(trailers))
        var bytes: [UInt8] = []
        while let part = try channel.readOutbound(as: ByteBuffer.self) { bytes += part.readableBytesView }
        return bytes
    }
}

extension ParsedRequest {
    /// Everything except the body, for a message.
    fileprivate var headText: String { "\(method) \(target) \(fields) \(framing) \(trailers)" }
}
