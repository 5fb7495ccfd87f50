// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOEmbedded
import NIOHTTP1

/// A request as read by NIO's parser, which is as strict as servers are.
struct ParsedRequest: Equatable {
    /// The methods that the parser knows; it refuses every other token.
    private static let known: Set = [
        "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PROPFIND", "PUT", "TRACE",
    ]

    var method = ""
    var target = ""
    /// All fields unchanged, except those that frame the body.
    var fields: [String] = []
    /// The fields that frame the body, in lowercase.
    var framing: [String] = []
    var body: [UInt8] = []
    var trailers: [String] = []

    /// Reads one request.
    ///
    /// - Parameter bytes: All bytes that were written.
    /// - Returns: The request; `nil` if the parser refuses it, or if it is not exactly one request that is complete
    ///   with its last byte and not before.
    static func of(_ bytes: [UInt8]) -> ParsedRequest? {
        var reading = ParsedRequest()
        let method = bytes.prefix { $0 != UInt8(ascii: " ") }
        reading.method = String(decoding: method, as: UTF8.self)
        let readable = known.contains(reading.method) ? bytes : Array("GET".utf8) + bytes.dropFirst(method.count)
        guard readable.count > 1 else { return nil }
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        do {
            try channel.pipeline.syncOperations.addHandler(
                ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)))
            try channel.writeInbound(ByteBuffer(bytes: readable.dropLast()))
            guard try !reading.take(channel) else { return nil }
            try channel.writeInbound(ByteBuffer(bytes: readable.suffix(1)))
            return try reading.take(channel) ? reading : nil
        } catch {
            return nil
        }
    }

    /// Takes the parts that the parser has read.
    ///
    /// - Returns: True if the request is complete.
    private mutating func take(_ channel: EmbeddedChannel) throws -> Bool {
        var isWhole = false
        while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
            switch part {
            case .head(let head):
                guard head.version == .http1_1 else { throw HTTPParserError.invalidVersion }
                target = head.uri
                for (name, value) in head.headers {
                    let lowercased = name.lowercased()
                    if lowercased == "content-length" || lowercased == "transfer-encoding" {
                        framing.append("\(lowercased): \(value)")
                    } else {
                        fields.append("\(name): \(value)")
                    }
                }
            case .body(let part): body += part.readableBytesView
            case .end(let fields):
                isWhole = true
                trailers = (fields ?? [:]).map { "\($0): \($1)" }
            }
        }
        return isWhole
    }
}
