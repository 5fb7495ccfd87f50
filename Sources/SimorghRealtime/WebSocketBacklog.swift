// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// What one observer has not taken yet: a value, bounded.
package struct WebSocketBacklog: Sendable {
    /// What becomes of an event.
    package enum Verdict: Sendable, Hashable {
        /// It is kept, and so many older ones are not.
        case kept(dropping: Int)
        /// It is not kept.
        case dropped
        /// There is no room, and that ends it.
        case overflow
    }

    /// How many events more are kept where the bounds suspend: what had come already when nobody could be waited for any
    /// more.
    package static let slack = 32_768
    /// How many bytes more are kept then.
    package static let byteSlack = 2 * 1024 * 1024

    /// An event, and for a loss its reason.
    package struct News: Sendable, Hashable {
        package var event: WebSocketEvent
        package var reason: WebSocketError?
    }

    package let bounds: WebSocketBuffer
    private var events = ItemQueue<News>()
    /// The bytes of the messages that are kept.
    package private(set) var bytes = 0

    package init(_ bounds: WebSocketBuffer) {
        var bounds = bounds
        bounds.events = max(1, bounds.events)
        bounds.bytes = max(0, bounds.bytes)
        self.bounds = bounds
    }

    package var count: Int { events.count }

    package var isEmpty: Bool { events.isEmpty }

    /// Whether a message is to wait until there is room.
    package var suspends: Bool {
        bounds.overflow == .suspend && (count >= bounds.events || count > 0 && bytes >= bounds.bytes)
    }

    /// How many bytes a message may have that takes nobody's place, does not wait and ends nothing; for none below 1.
    package var spareBytes: Int { count < bounds.events ? bounds.bytes - bytes : 0 }

    /// Keeps an event, if it may.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - reason: Why, for a loss.
    /// - Returns: What became of it.
    package mutating func offer(_ event: WebSocketEvent, because reason: WebSocketError? = nil) -> Verdict {
        let size = Self.size(event)
        var dropped = 0
        // A pong takes nobody's place, and ends nothing.
        if event == .pong, isFull(for: 0) { return .dropped }
        switch bounds.overflow {
        case .fail where isFull(for: size): return .overflow
        case .fail: break
        case .suspend where exceedsSlack(event, size): return .dropped
        case .suspend: break
        case .dropOldest:
            while isFull(for: size) {
                _ = takeFirst()
                dropped += 1
            }
        }
        events.append(News(event: event, reason: reason))
        bytes += size
        return .kept(dropping: dropped)
    }

    /// The oldest event.
    package mutating func takeFirst() -> WebSocketEvent? { takeNews()?.event }

    /// The oldest event, and for a loss its reason.
    package mutating func takeNews() -> News? {
        guard let news = events.popFirst() else { return nil }
        bytes -= Self.size(news.event)
        return news
    }

    /// Whether an event that could not be made to wait is too much all the same; the last one never is.
    private func exceedsSlack(_ event: WebSocketEvent, _ size: Int) -> Bool {
        guard suspends else { return false }
        if case .disconnected = event { return false }
        return count - bounds.events >= Self.slack || size > 0 && bytes + size - bounds.bytes > Self.byteSlack
    }

    private func isFull(for size: Int) -> Bool {
        !isEmpty && (count >= bounds.events || size > bounds.bytes - bytes)
    }

    private static func size(_ event: WebSocketEvent) -> Int {
        if case .message(let message) = event { message.byteCount } else { 0 }
    }
}
