// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What one observer has not taken yet: a value, bounded.
package struct WebSocketBacklog: Sendable {
    /// What becomes of an event.
    package enum Verdict: Sendable, Hashable {
        /// It is kept, and so many older ones are not.
        case kept(dropping: Int)
        /// There is no room, and that ends it.
        case overflow
    }

    /// How much more is kept where the bounds suspend: what had come already when nobody could be waited for any more.
    package static let slack = 32_768

    package let bounds: WebSocketBuffer
    private var events = ItemQueue<WebSocketEvent>()
    /// The bytes of the messages that are kept.
    package private(set) var bytes = 0

    package init(_ bounds: WebSocketBuffer) { self.bounds = bounds }

    package var count: Int { events.count }

    package var isEmpty: Bool { events.isEmpty }

    /// Whether a message is to wait until there is room.
    package var suspends: Bool {
        bounds.overflow == .suspend && (count >= bounds.events || count > 0 && bytes >= bounds.bytes)
    }

    /// Keeps an event, if it may.
    ///
    /// - Parameter event: The event.
    /// - Returns: What became of it.
    package mutating func offer(_ event: WebSocketEvent) -> Verdict {
        let size = Self.size(event)
        var dropped = 0
        switch bounds.overflow {
        case .fail where isFull(for: size): return .overflow
        case .fail: break
        case .suspend where count >= bounds.events && count - bounds.events >= Self.slack:
            _ = takeFirst()
            dropped = 1
        case .suspend: break
        case .dropOldest:
            while isFull(for: size) {
                _ = takeFirst()
                dropped += 1
            }
        }
        events.append(event)
        bytes += size
        return .kept(dropping: dropped)
    }

    /// The oldest event.
    package mutating func takeFirst() -> WebSocketEvent? {
        guard let event = events.popFirst() else { return nil }
        bytes -= Self.size(event)
        return event
    }

    private func isFull(for size: Int) -> Bool {
        !isEmpty && (count >= bounds.events || size > bounds.bytes - bytes)
    }

    private static func size(_ event: WebSocketEvent) -> Int {
        if case .message(let message) = event { message.byteCount } else { 0 }
    }
}
