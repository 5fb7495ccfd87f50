// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

extension Route {
    /// Routes with delays.
    package static let timed: [Route] = [
        Route(nil, path: "/delay/{s}") { request in
            guard let seconds = request.parameter("s", in: 0.0...600.0) else {
                return .error(400, message: "/delay/{s} takes 0 to 600 seconds")
            }
            return .json(anything(request)).delayed(by: .seconds(seconds))
        },
        Route(.get, path: "/drip") { request in
            let count = request.number("numbytes", default: 10, in: 0...10_000_000)
            let pause = request.number("duration", default: 2.0, in: 0.0...600.0) / Double(max(1, count))
            return .generated(
                for: request, status: .init(code: request.number("code", default: 200, in: 200...599)), length: count,
                after: request.seconds("delay"), body: repeated(count, every: .seconds(pause)) { _ in "*" })
        },
        Route(.get, path: "/stream/{n}") { request in
            guard let count = request.parameter("n", in: 0...1_000_000) else {
                return .error(400, message: "/stream/{n} takes 0 to 1000000")
            }
            let url = EchoJSON.string(request.url)
            return .generated(
                for: request, headerFields: [.contentType: "application/x-ndjson"], length: nil,
                body: repeated(count, every: request.seconds("delay")) { index in
                    EchoJSON.object([("id", .int(index)), ("url", url)]).text + "\n"
                })
        },
    ]

    /// Returns pieces that are generated one by one, with a pause after each but the last.
    static func repeated(
        _ count: Int, every pause: Duration, piece: @escaping @Sendable (Int) -> String
    ) -> WireSteps {
        WireSteps {
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
                return .text(piece(index))
            }
        }
    }
}
