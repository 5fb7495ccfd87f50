// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport

extension Route {
    /// Routes for WebSockets, server-sent events and GraphQL.
    package static let realtime: [Route] = [
        Route(.get, path: "/ws/echo") { _ in
            .webSocket { socket in
                while let message = try await socket.receive() { try await socket.send(message) }
            }
        },
        Route(.get, path: "/ws/ticks") { request in
            let ticks = Ticks(request.query)
            return .webSocket { socket in
                for number in 1...ticks.count {
                    try await socket.send(#"{"tick":\#(number)}"#)
                    if number < ticks.count { try await Task.sleep(for: ticks.delay) }
                }
            }
        },
        Route(.get, path: "/sse") { events($0, count: Ticks.maximumCount) },
        Route(.get, path: "/sse/{n}") { request in
            guard let count = request.parameter("n", in: 1...Ticks.maximumCount) else {
                return .error(400, message: "/sse/{n} takes 1 to \(Ticks.maximumCount)")
            }
            return events(request, count: count)
        },
        Route(nil, path: "/graphql") { request in
            if request.header(.upgrade)?.lowercased() == "websocket" { return GraphQLTicks.webSocketResponse }
            return GraphQLTicks.answer(to: request)
        },
    ]

    /// Returns numbered events after `Last-Event-ID`; 204 if all have been sent.
    private static func events(_ request: RecordedRequest, count: Int) -> StubResponse {
        let name = HTTPField.Name("Last-Event-ID")
        let last = name.flatMap { request.header($0) }.flatMap { Int($0) } ?? 0
        guard last < count else { return .status(.noContent) }
        let first = max(1, last + 1)
        // A connection may end before the last event, so that the client has to reconnect for the others.
        let each = request.number("each", default: Ticks.maximumCount, in: 1...Ticks.maximumCount)
        let retry = request.number("retry", default: 1000, in: 0...3_600_000)
        let delay = request.seconds("delay", default: Ticks.standardDelay)
        let events = repeated(min(each, count - first + 1), every: delay) { index in
            let number = first + index
            let head = index == 0 ? "retry: \(retry)\n" : ""
            return "\(head)id: \(number)\nevent: tick\ndata: {\"tick\":\(number)}\n\n"
        }
        return .generated(
            for: request, headerFields: [.contentType: "text/event-stream", .cacheControl: "no-store"], length: nil,
            body: events)
    }
}

/// The number of ticks, and the time between them.
struct Ticks: Sendable {
    /// The maximum number of ticks.
    static let maximumCount = 1_000_000
    /// The default time between two ticks, in seconds.
    static let standardDelay = 1.0

    var count = Self.maximumCount
    var delay = Duration.seconds(Self.standardDelay)

    init() {}

    /// Creates ticks from the items `count` and `delay` (in seconds), clamped to their limits.
    init(_ items: [(name: String, value: String)]) {
        for item in items {
            guard let value = Double(item.value), value.isFinite else { continue }
            if item.name == "count" { count = Int(min(max(1, value), Double(Self.maximumCount))) }
            if item.name == "delay" { delay = .seconds(min(max(0, value), 600)) }
        }
    }
}
