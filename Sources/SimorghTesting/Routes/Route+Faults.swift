// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore

extension Route {
    /// Answers that go wrong, each in its own way, whatever the method.
    package static let faults: [Route] = [
        fault("close-before-head") { _ in .wire([.close]) },
        fault("close-inside-head") { _ in .wire([text("HTTP/1.1 200 OK\r\nContent-Ty"), .close]) },
        fault("close-after-head") { _ in .wire([text("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"), .close]) },
        fault("truncate/{n}") { request in
            guard let count = request.parameter("n", in: 1...maximumLength) else {
                return .error(400, "truncate/{n} takes 1 to \(maximumLength)")
            }
            return .message(Reply.Message(200, octets, .steps(length: count, seeded(count / 2, 0).then(.close))))
        },
        fault("truncate-chunked") { _ in
            .message(Reply.Message(200, octets, .steps(length: nil, Reply.Steps([text("the beginning"), .close]))))
        },
        fault("truncate-inside-chunk") { _ in
            .wire([text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\nthe beginning"), .close])
        },
        fault("stall-head") { _ in .wire([.stall]) },
        fault("stall-inside-head") { _ in .wire([text("HTTP/1.1 200 OK\r\nContent-Ty"), .stall]) },
        fault("stall-body") { _ in
            .message(Reply.Message(200, octets, .steps(length: 100, Reply.Steps([text("the beginning"), .stall]))))
        },
        fault("trickle") { request in
            let count = request.number("bytes", default: 20, in: 0...1_000_000)
            let pause = Duration.seconds(request.number("delay", default: 0.05, in: 0.0...600.0))
            let steps = repeated(count, every: pause) { _ in ByteBuffer(string: ".") }
            return .message(Reply.Message(200, octets, .steps(length: count, steps)))
        },
        fault("garbage") { _ in .wire(seeded(4096, 7).then(.close)) },
        fault("header-flood") { request in
            let count = request.number("count", default: 1_000_000, in: 0...100_000_000)
            return .wire(
                flood(count).after(text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n")).then(text("\r\n")))
        },
        fault("long-header") { request in
            let count = request.number("bytes", default: 1_000_000, in: 0...16_000_000)
            return .wire([
                text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Long: "), text(String(repeating: "x", count: count)),
                text("\r\n\r\n"), .close,
            ])
        },
        fault("reset") { request in
            switch request.argument("at") {
            case "head": .wire([text("HTTP/1.1 200 OK\r\nContent-Ty"), .reset])
            case "body": .wire([text("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nthe beginning"), .reset])
            default: .wire([.reset])
            }
        },
        fault("close-after-response") { request in
            // The response is whole and promises to keep the connection, which is closed all the same.
            let body = "closed without a word\n"
            let wait = Duration.seconds(request.number("delay", default: 0.0, in: 0.0...600.0))
            let steps = Reply.Steps(wait > .zero ? [text(body), .wait(wait), .close] : [text(body), .close])
            return .message(Reply.Message(200, octets, .steps(length: body.utf8.count, steps)))
        },
        fault("early-response") { request in
            .error(request.number("status", default: 413, in: 200...599), "answered before the body was read")
        },
        fault("early-hints") { _ in
            .wire([
                text("HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n"),
                text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"), .close,
            ])
        },
        fault("bad-gzip") { request in
            var bytes = Deflater.compress(Array(repeating: UInt8(ascii: "a"), count: 10_000), as: .gzip)
            switch request.argument("kind") {
            case "truncated": bytes.removeLast(12)
            case "checksum": bytes[bytes.count - 8] ^= 0xFF
            default: bytes = Array("this is no gzip at all".utf8)
            }
            return .message(Reply.Message(200, octets + gzip, .bytes(ByteBuffer(bytes: bytes))))
        },
        fault("gzip-bomb/{mib}") { request in
            guard let count = request.parameter("mib", in: 1...4096) else {
                return .error(400, "gzip-bomb/{mib} takes 1 to 4096")
            }
            return .message(Reply.Message(200, octets + gzip, .steps(length: nil, bomb(count))))
        },
    ]

    private static let gzip = [(name: "Content-Encoding", value: "gzip")]

    private static func fault(_ name: String, _ reply: @escaping @Sendable (LoopbackRequest) -> Reply) -> Route {
        Route(nil, "/fault/\(name)", intake: .none, reply)
    }

    private static func text(_ text: String) -> Reply.Step { .bytes(ByteBuffer(string: text)) }

    /// A head of as many fields, a hundred at a time, as fast as the client takes them.
    private static func flood(_ count: Int) -> Reply.Steps {
        Reply.Steps {
            var index = 0
            return {
                guard index < count else { return nil }
                let end = min(count, index + 100)
                defer { index = end }
                return text((index..<end).map { "X-Flood-\($0): 0123456789abcdef\r\n" }.joined())
            }
        }
    }

    /// As many mebibytes of nothing in gzip, compressed as they are sent.
    private static func bomb(_ mebibytes: Int) -> Reply.Steps {
        Reply.Steps {
            let deflater = Deflater(.gzip)
            let zeros = [UInt8](repeating: 0, count: 1024 * 1024)
            var index = 0
            return {
                guard index < mebibytes else { return nil }
                index += 1
                return .bytes(ByteBuffer(bytes: deflater.compress(zeros, isLast: index == mebibytes)))
            }
        }
    }
}

extension Reply.Steps {
    /// One step and then these.
    func after(_ first: Reply.Step) -> Reply.Steps {
        let rest = self
        return Reply.Steps {
            var first: Reply.Step? = first
            let next = rest.make()
            return { first.take() ?? next() }
        }
    }

    /// These steps and one more at their end.
    func then(_ last: Reply.Step) -> Reply.Steps {
        let first = self
        return Reply.Steps {
            let next = first.make()
            var hasEnded = false
            return {
                if let step = next() { return step }
                defer { hasEnded = true }
                return hasEnded ? nil : last
            }
        }
    }
}
