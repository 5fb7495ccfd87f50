// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// The single subscription of a ``SubscriptionConnection``, fanned out to its subscribers.
final class SharedSubscription<Router: SubscriptionRouter>: Sendable {
    typealias Hub = SubscriptionMultiplexer<SingleSubscriptionProtocol<Router>>

    /// Distributes events and changes to all subscribers.
    private final class Fan: SubscriptionSink {
        private struct State {
            var buffers: [Int: SubscriptionBuffer] = [:]
            var last = 0
            var full: [SubscriptionBuffer] = []
            var isOver = false
        }

        private let state = Mutex(State())

        var count: Int { state.withLock { $0.buffers.count } }

        /// Adds a subscriber; returns `nil` if the subscription has ended.
        func add(_ buffer: SubscriptionBuffer) -> Int? {
            state.withLock { state in
                guard !state.isOver else { return nil }
                state.last += 1
                state.buffers[state.last] = buffer
                return state.last
            }
        }

        /// Removes a subscriber; returns true if it was the last.
        func remove(_ number: Int) -> Bool {
            state.withLock { state in
                state.buffers.removeValue(forKey: number) != nil && state.buffers.isEmpty
            }
        }

        private var all: [SubscriptionBuffer] { state.withLock { Array($0.buffers.values) } }

        func deliver(_ payload: SubscriptionPayload) -> Bool {
            let full = all.filter { !$0.deliver(payload) }
            state.withLock { $0.full = full }
            return full.isEmpty
        }

        func notify(_ notice: SubscriptionNotice) { for buffer in all { buffer.notify(notice) } }

        func end(_ error: SubscriptionError?) {
            let buffers = state.withLock { state in
                defer { state.buffers = [:] }
                state.isOver = true
                return state.buffers.values
            }
            for buffer in buffers { buffer.end(error) }
        }

        func waitForRoom() async {
            while let buffer = state.withLock({ $0.full.popLast() }) { await buffer.waitForRoom() }
        }
    }

    /// Forwards to the fan, and reports the end to its owner.
    private final class Ending: SubscriptionSink {
        private let fan: Fan
        private let onEnd: @Sendable (Fan) -> Void

        init(_ fan: Fan, onEnd: @escaping @Sendable (Fan) -> Void) {
            self.fan = fan
            self.onEnd = onEnd
        }

        func deliver(_ payload: SubscriptionPayload) -> Bool { fan.deliver(payload) }
        func notify(_ notice: SubscriptionNotice) { fan.notify(notice) }
        func waitForRoom() async { await fan.waitForRoom() }

        func end(_ error: SubscriptionError?) {
            onEnd(fan)
            fan.end(error)
        }
    }

    private struct State {
        /// The subscribers of the current subscription, or of the next one.
        var fan = Fan()
        /// The identifier of the current subscription, once the hub has assigned it.
        var id: SubscriptionID?
        var isActive = false
        var hasBegun = false
    }

    let hub: Hub
    let read: @Sendable (SubscriptionPayload) throws -> Router.Event?
    private let options: SubscriptionOptions
    private let state = Mutex(State())

    init(_ router: Router, hub: Hub, options: SubscriptionOptions, decoder: JSONDecoder) {
        self.hub = hub
        self.options = options
        read = { try router.decodeEvent(from: $0.message, using: decoder) }
    }

    func connect() {
        begin(onlyFirst: false)
    }

    /// Connects for a subscriber, unless it was connected before: an ended subscription stays ended.
    func listen() { begin(onlyFirst: true) }

    func reconnect() {
        // A new subscription connects by itself.
        if !begin(onlyFirst: false) { hub.reconnect(holdsIfEmpty: false) }
    }

    func disconnect() {
        let (fan, id) = state.withLock { state in
            state.hasBegun = true
            return (state.fan, Self.leave(&state))
        }
        if let id { hub.disconnect(after: id) }
        fan.end(nil)
    }

    /// Ends the subscription if it has no subscribers, because no new one can be added any more.
    func abandon() {
        let id: SubscriptionID? = state.withLock { state in
            state.fan.count == 0 ? Self.leave(&state) : nil
        }
        if let id { hub.disconnect(after: id) }
    }

    /// Returns a new subscriber, which receives everything from now on.
    func addSubscriber() -> SubscriberLifetime {
        let buffer = SubscriptionBuffer(options)
        // A single lock decides which subscribers exist when the subscription ends, and which one is the last to
        // leave.
        let (fan, number) = state.withLock { state in
            (state.fan, state.hasBegun && !state.isActive ? nil : state.fan.add(buffer))
        }
        guard let number else {
            buffer.end(nil)
            return SubscriberLifetime(buffer)
        }
        buffer.onLeave { [self] in
            let id: SubscriptionID? = state.withLock { state in
                guard fan.remove(number), state.fan === fan, state.isActive else { return nil }
                return Self.leave(&state)
            }
            if let id { hub.disconnect(after: id) }
        }
        return SubscriberLifetime(buffer)
    }

    /// Ends the current subscription and returns its identifier.
    ///
    /// The hub then ends only this one, in case another has begun in the meantime.
    private static func leave(_ state: inout State) -> SubscriptionID? {
        guard state.isActive else { return nil }
        state.isActive = false
        return state.id.take()
    }

    /// Subscribes unless it is subscribed already; returns true if this call subscribed.
    @discardableResult
    private func begin(onlyFirst: Bool) -> Bool {
        let fan: Fan? = state.withLock { state in
            guard !state.isActive, !(onlyFirst && state.hasBegun) else { return nil }
            // The subscribers of an earlier subscription have received its end.
            if state.hasBegun { state.fan = Fan() }
            state.hasBegun = true
            state.isActive = true
            state.id = nil
            return state.fan
        }
        guard let fan else { return false }
        let ending = Ending(fan) { [weak self] in self?.ended($0) }
        let id = hub.subscribe(SingleSubscriptionProtocol<Router>.Operation(), sink: ending)
        let isWanted = state.withLock { state in
            guard state.fan === fan, state.isActive else { return false }
            state.id = id
            return true
        }
        // Another thread ended the subscription before its identifier was stored.
        if !isWanted { hub.disconnect(after: id) }
        return true
    }

    /// Handles the end of the subscription, whether this side or the server ended it.
    private func ended(_ fan: Fan) {
        let id: SubscriptionID? = state.withLock { state in
            state.fan === fan ? Self.leave(&state) : nil
        }
        if let id { hub.disconnect(after: id) }
    }
}
