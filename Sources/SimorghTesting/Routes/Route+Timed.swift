// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore

extension Route {
    /// Routes that take their time.
    package static let timed: [Route] = [
        Route(nil, "/delay/{s}", intake: .kept) { request in
            guard let seconds = request.parameter("s", in: 0.0...600.0) else {
                return .error(400, "/delay/{s} takes 0 to 600 seconds")
            }
            guard case .message(var message) = Reply.json(anything(request)) else { return .status(500) }
            message.delay = .seconds(seconds)
            return .message(message)
        },
        Route("GET", "/drip") { request in
            let count = request.number("numbytes", default: 10, in: 0...10_000_000)
            let pause = request.number("duration", default: 2.0, in: 0.0...600.0) / Double(max(1, count))
            var message = Reply.Message(
                request.number("code", default: 200, in: 200...599), [("Content-Type", "application/octet-stream")],
                .steps(length: count, repeated(count, every: .seconds(pause)) { _ in ByteBuffer(string: "*") }))
            message.delay = .seconds(request.number("delay", default: 0.0, in: 0.0...600.0))
            return .message(message)
        },
        Route("GET", "/stream/{n}") { request in
            guard let count = request.parameter("n", in: 0...1_000_000) else {
                return .error(400, "/stream/{n} takes 0 to 1000000")
            }
            let pause = Duration.seconds(request.number("delay", default: 0.0, in: 0.0...600.0))
            let url = EchoJSON.string(request.url)
            let lines = repeated(count, every: pause) { index in
                ByteBuffer(string: EchoJSON.object([("id", .int(index)), ("url", url)]).text + "\n")
            }
            return .message(
                Reply.Message(200, [("Content-Type", "application/x-ndjson")], .steps(length: nil, lines)))
        },
    ]

    /// Pieces made one by one, with a pause after each but the last.
    static func repeated(
        _ count: Int, every pause: Duration, _ piece: @escaping @Sendable (Int) -> ByteBuffer
    ) -> Reply.Steps {
        Reply.Steps {
            var index = 0
            var hasPaused = true
            return {
                guard index < count else { return nil }
                if !hasPaused, pause > .zero {
                    hasPaused = true
                    return .wait(pause)
                }
                defer { index += 1 }
                hasPaused = false
                return .bytes(piece(index))
            }
        }
    }
}
