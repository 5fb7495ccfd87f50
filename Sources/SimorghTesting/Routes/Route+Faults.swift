// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

extension Route {
    /// Routes with faulty responses, for any method.
    package static let faults: [Route] = [
        fault("close-before-head") { _ in StubResponse().fault(.close) },
        fault("close-inside-head") { _ in .raw([.text(halfHead), .fault(.close)]) },
        fault("close-after-head") { _ in .raw([.text(headOf100), .fault(.close)]) },
        fault("truncate/{n}") { request in
            guard let count = request.parameter("n", in: 1...maximumLength) else {
                return .error(400, message: "truncate/{n} takes 1 to \(maximumLength)")
            }
            return .generated(for: request, length: count, body: seeded(count / 2, seed: 0) + [.fault(.close)])
        },
        fault("truncate-chunked") { request in
            .generated(for: request, length: nil, body: [.text("the beginning"), .fault(.close)])
        },
        fault("truncate-inside-chunk") { _ in
            .raw([.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\nthe beginning"), .fault(.close)])
        },
        fault("stall-head") { _ in StubResponse().fault(.stall) },
        fault("stall-inside-head") { _ in .raw([.text(halfHead), .fault(.stall)]) },
        fault("stall-body") { request in
            .generated(for: request, length: 100, body: [.text("the beginning"), .fault(.stall)])
        },
        fault("trickle") { request in
            let count = request.number("bytes", default: 20, in: 0...1_000_000)
            return .generated(
                for: request, length: count,
                body: repeated(count, every: request.seconds("delay", default: 0.05)) { _ in "." }
            )
        },
        fault("garbage") { _ in .raw(seeded(4096, seed: 7) + [.fault(.close)]) },
        fault("header-flood") { request in
            let count = request.number("count", default: 1_000_000, in: 0...100_000_000)
            let start: WireSteps = [.text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n")]
            return .raw(start + flood(count) + [.text("\r\n"), .fault(.close)])
        },
        fault("long-header") { request in
            let value = String(repeating: "x", count: request.number("bytes", default: 1_000_000, in: 0...16_000_000))
            return .raw([.text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Long: \(value)\r\n\r\n"), .fault(.close)])
        },
        fault("reset") { request in
            switch request.argument("at") {
            case "head": .raw([.text(halfHead), .fault(.reset)])
            case "body": .raw([.text(headOf100 + "the beginning"), .fault(.reset)])
            default: StubResponse().fault(.reset)
            }
        },
        fault("close-after-response") { request in
            // The response is complete and announces a persistent connection, which is closed nevertheless.
            let body = "closed without a word\n"
            return .generated(
                for: request, length: body.utf8.count,
                body: [.text(body), .wait(request.seconds("delay")), .fault(.close)])
        },
        Route(nil, path: "/fault/early-response", isEarly: true) { request in
            .error(
                .init(code: request.number("status", default: 413, in: 200...599)),
                message: "answered before the body was read")
        },
        fault("early-hints") { _ in
            .raw([
                .text("HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n"),
                .text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"), .fault(.close),
            ])
        },
        fault("bad-gzip") { request in
            var bytes = Deflater.compress(Array(repeating: UInt8(ascii: "a"), count: 10_000), as: .gzip)
            switch request.argument("kind") {
            case "truncated": bytes.removeLast(12)
            case "checksum": bytes[bytes.count - 8] ^= 0xFF
            default: bytes = Array("this is no gzip at all".utf8)
            }
            return StubResponse(headerFields: gzip, body: Data(bytes))
        },
        fault("gzip-bomb/{mib}") { request in
            guard let count = request.parameter("mib", in: 1...4096) else {
                return .error(400, message: "gzip-bomb/{mib} takes 1 to 4096")
            }
            return .generated(for: request, headerFields: gzip, length: nil, body: bomb(count))
        },
    ]

    private static let gzip: HTTPFields = [.contentType: "application/octet-stream", .contentEncoding: "gzip"]
    private static let halfHead = "HTTP/1.1 200 OK\r\nContent-Ty"
    private static let headOf100 = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"

    private static func fault(
        _ name: String, answer: @escaping @Sendable (RecordedRequest) -> StubResponse
    ) -> Route {
        Route(nil, path: "/fault/\(name)", answer: answer)
    }

    /// Returns a number of header fields, a hundred at a time.
    private static func flood(_ count: Int) -> WireSteps {
        WireSteps {
            var index = 0
            return {
                guard index < count else { return nil }
                let end = min(count, index + 100)
                defer { index = end }
                return .text((index..<end).map { "X-Flood-\($0): 0123456789abcdef\r\n" }.joined())
            }
        }
    }

    /// Returns a number of mebibytes of zeros in gzip, compressed while they are sent.
    private static func bomb(_ mebibytes: Int) -> WireSteps {
        WireSteps {
            let deflater = Deflater(.gzip)
            let zeros = [UInt8](repeating: 0, count: 1024 * 1024)
            var index = 0
            return {
                guard index < mebibytes else { return nil }
                index += 1
                return .bytes(Data(deflater.compress(zeros, isLast: index == mebibytes)))
            }
        }
    }
}
