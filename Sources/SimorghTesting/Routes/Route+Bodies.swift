// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

extension Route {
    /// Routes whose responses have known content.
    package static let bodies: [Route] = [
        Route(.get, path: "/bytes/{n}") { request in
            bytes(request) { count, seed in
                .generated(
                    for: request, length: request.argument("chunked") == nil ? count : nil,
                    body: seeded(count, seed: seed))
            }
        },
        Route(.get, path: "/gzip") { compressed(summary(of: $0, flag: "gzipped"), as: .gzip) },
        Route(.get, path: "/gzip/{n}") { compressedBytes(for: $0, as: .gzip) },
        Route(.get, path: "/deflate") { request in
            compressed(summary(of: request, flag: "deflated"), as: request.argument("raw") == nil ? .zlib : .raw)
        },
        Route(.get, path: "/deflate/{n}") { compressedBytes(for: $0, as: .zlib) },
        Route(.get, path: "/json") { _ in .json(sample) },
        Route(.get, path: "/uuid") { _ in .json(.object([("uuid", .string(UUID().uuidString.lowercased()))])) },
        Route(.get, path: "/image/png") { _ in .bytes(Data(PNG.sample), contentType: "image/png") },
    ]

    /// The largest number of bytes that a route generates: 1 GiB.
    static let maximumLength = 1024 * 1024 * 1024

    /// Returns the steps that send pseudorandom bytes, which depend on the seed only.
    static func seeded(_ count: Int, seed: UInt64) -> WireSteps {
        WireSteps {
            let source = SeededBytes(seed: seed, count: count)
            var offset = 0
            return {
                guard offset < count else { return nil }
                let chunk = source.chunk(at: offset, upTo: count)
                offset += chunk.count
                return .bytes(Data(chunk))
            }
        }
    }

    /// Returns the response for the requested number of bytes and seed; status 400 if the number is out of range.
    private static func bytes(
        _ request: RecordedRequest, answer: (_ count: Int, _ seed: UInt64) -> StubResponse
    ) -> StubResponse {
        guard let count = request.parameter("n", in: 0...maximumLength) else {
            return .error(400, message: "\(request.path): the number of bytes must be from 0 to \(maximumLength)")
        }
        return answer(count, request.number("seed", default: 0, in: 0...UInt64.max))
    }

    /// Returns the request as JSON, with a flag that names the compression.
    private static func summary(of request: RecordedRequest, flag: String) -> EchoJSON {
        .object([
            (flag, .bool(true)), ("headers", headers(of: request)), ("method", .string(request.method.rawValue)),
            ("origin", origin),
        ])
    }

    private static func compressed(_ json: EchoJSON, as format: Deflater.Format) -> StubResponse {
        let bytes = Deflater.compress(Array(json.text.utf8), as: format)
        return .bytes(Data(bytes), contentType: "application/json").header(.contentEncoding, value: format.coding)
    }

    /// Returns the bytes of `/bytes/{n}`, compressed while they are sent.
    private static func compressedBytes(for request: RecordedRequest, as format: Deflater.Format) -> StubResponse {
        bytes(request) { count, seed in
            let steps = WireSteps {
                let source = SeededBytes(seed: seed, count: count)
                var deflater: Deflater? = Deflater(format)
                var offset = 0
                return {
                    guard let current = deflater else { return nil }
                    let chunk = source.chunk(at: offset, upTo: count)
                    offset += chunk.count
                    if offset == count { deflater = nil }
                    return .bytes(Data(current.compress(chunk, isLast: offset == count)))
                }
            }
            return .generated(
                for: request,
                headerFields: [.contentType: "application/octet-stream", .contentEncoding: format.coding], length: nil,
                body: steps)
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
