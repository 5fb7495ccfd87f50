// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghSupport

extension Route {
    /// Routes that answer with bodies of a known content.
    package static let bodies: [Route] = [
        Route("GET", "/bytes/{n}") { request in
            guard let count = request.parameter("n", in: 0...maximumLength) else {
                return .error(400, "/bytes/{n} takes 0 to \(maximumLength)")
            }
            let seed = request.number("seed", default: UInt64(0), in: 0...UInt64.max)
            return .message(
                Reply.Message(
                    200, octets, .steps(length: request.argument("chunked") == nil ? count : nil, seeded(count, seed))))
        },
        Route("GET", "/gzip") { compressed(summary($0, "gzipped"), .gzip) },
        Route("GET", "/gzip/{n}") { compressedBytes($0, .gzip) },
        Route("GET", "/deflate") { request in
            compressed(summary(request, "deflated"), request.argument("raw") == nil ? .zlib : .raw)
        },
        Route("GET", "/deflate/{n}") { compressedBytes($0, .zlib) },
        Route("GET", "/json") { _ in .text(sample, type: "application/json") },
        Route("GET", "/uuid") { _ in .json(.object([("uuid", .string(UUID().uuidString.lowercased()))])) },
        Route("GET", "/image/png") { _ in
            .message(Reply.Message(200, [("Content-Type", "image/png")], .bytes(ByteBuffer(bytes: PNG.sample))))
        },
    ]

    static let maximumLength = 1024 * 1024 * 1024
    static let octets = [(name: "Content-Type", value: "application/octet-stream")]

    static func seeded(_ count: Int, _ seed: UInt64) -> Reply.Steps {
        Reply.Steps {
            let source = SeededBytes(seed: seed, count: count)
            var offset = 0
            return {
                guard offset < count else { return nil }
                let chunk = source.chunk(at: offset, upTo: count)
                offset += chunk.count
                return .bytes(ByteBuffer(bytes: chunk))
            }
        }
    }

    private static func summary(_ request: LoopbackRequest, _ how: String) -> EchoJSON {
        .object([
            (how, .bool(true)), ("headers", headers(of: request)), ("method", .string(request.method)),
            ("origin", .string(request.origin)),
        ])
    }

    private static func compressed(_ json: EchoJSON, _ format: Deflater.Format) -> Reply {
        let bytes = Deflater.compress(Array(json.text.utf8), as: format)
        return .message(
            Reply.Message(
                200, [("Content-Type", "application/json"), ("Content-Encoding", format.coding)],
                .bytes(ByteBuffer(bytes: bytes))))
    }

    /// The bytes of `/bytes/{n}` compressed as they are sent.
    private static func compressedBytes(_ request: LoopbackRequest, _ format: Deflater.Format) -> Reply {
        guard let count = request.parameter("n", in: 0...maximumLength) else {
            return .error(400, "\(request.target.path) takes 0 to \(maximumLength)")
        }
        let seed = request.number("seed", default: UInt64(0), in: 0...UInt64.max)
        let steps = Reply.Steps {
            let source = SeededBytes(seed: seed, count: count)
            var deflater: Deflater? = Deflater(format)
            var offset = 0
            return {
                guard let current = deflater else { return nil }
                let chunk = source.chunk(at: offset, upTo: count)
                offset += chunk.count
                if offset == count { deflater = nil }
                return .bytes(ByteBuffer(bytes: current.compress(chunk, isLast: offset == count)))
            }
        }
        return .message(
            Reply.Message(200, octets + [("Content-Encoding", format.coding)], .steps(length: nil, steps)))
    }

    private static let sample = """
        {
          "slideshow": {
            "author": "Attar of Nishapur",
            "date": "1177",
            "title": "The Conference of the Birds",
            "slides": [
              {"title": "The gathering", "type": "all"},
              {"title": "The seven valleys", "type": "all", "items": ["quest", "love", "knowledge"]}
            ]
          }
        }

        """
}
