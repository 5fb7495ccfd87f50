// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import FoundationEssentials
import NIOCore

extension Route {
    /// Routes that answer with bodies of a known content.
    package static let bodies: [Route] = [
        Route("GET", "/bytes/{n}") { request in
            guard let count = request.parameter("n", in: 0...1024 * 1024 * 1024) else {
                return .error(400, "/bytes/{n} takes 0 to 1073741824")
            }
            let seed = request.number("seed", default: UInt64(0), in: 0...UInt64.max)
            return .message(
                Reply.Message(
                    200, [("Content-Type", "application/octet-stream")],
                    .steps(length: request.argument("chunked") == nil ? count : nil, seeded(count, seed))))
        },
        Route("GET", "/json") { _ in .text(sample, type: "application/json") },
        Route("GET", "/uuid") { _ in .json(.object([("uuid", .string(UUID().uuidString.lowercased()))])) },
    ]

    static func seeded(_ count: Int, _ seed: UInt64) -> Reply.Steps {
        Reply.Steps {
            let source = SeededBytes(seed: seed)
            var offset = 0
            return {
                guard offset < count else { return nil }
                let chunk = source.chunk(at: offset, upTo: count)
                offset += chunk.count
                return .bytes(ByteBuffer(bytes: chunk))
            }
        }
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
