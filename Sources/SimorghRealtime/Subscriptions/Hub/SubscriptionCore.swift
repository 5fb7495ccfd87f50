// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// The one subscription of a ``SubscriptionConnection``, and who listens to it.
final class SubscriptionCore<Router: SubscriptionRouter>: Sendable {
    typealias Hub = SubscriptionHub<RouterProtocol<Router>>

    /// Hands each thing to all who listen.
    private final class Fan: SubscriptionSink {
        private struct State {
            var mailboxes: [Int: SubscriptionMailbox] = [:]
            var last = 0
            var full: [SubscriptionMailbox] = []
            var isOver = false
        }

        private let state = Mutex(State())

        var count: Int { state.withLock { $0.mailboxes.count } }

        /// Adds one; `nil` where it has ended.
        func add(_ mailbox: SubscriptionMailbox) -> Int? {
            state.withLock { state in
                guard !state.isOver else { return nil }
                state.last += 1
                state.mailboxes[state.last] = mailbox
                return state.last
            }
        }

        /// Takes one out; whether it was the last.
        func remove(_ number: Int) -> Bool {
            state.withLock { state in
                state.mailboxes.removeValue(forKey: number) != nil && state.mailboxes.isEmpty
            }
        }

        private var all: [SubscriptionMailbox] { state.withLock { Array($0.mailboxes.values) } }

        func deliver(_ payload: SubscriptionPayload) -> Bool {
            let full = all.filter { !$0.deliver(payload) }
            state.withLock { $0.full = full }
            return full.isEmpty
        }

        func tell(_ notice: HubNotice) { for mailbox in all { mailbox.tell(notice) } }

        func end(_ error: SubscriptionError?) {
            let mailboxes = state.withLock { state in
                defer { state.mailboxes = [:] }
                state.isOver = true
                return state.mailboxes.values
            }
            for mailbox in mailboxes { mailbox.end(error) }
        }

        func room() async {
            while let mailbox = state.withLock({ $0.full.popLast() }) { await mailbox.room() }
        }
    }

    /// The fan, and word of the end to whoever keeps it.
    private final class Ending: SubscriptionSink {
        private let fan: Fan
        private let onEnd: @Sendable (Fan) -> Void

        init(_ fan: Fan, onEnd: @escaping @Sendable (Fan) -> Void) {
            self.fan = fan
            self.onEnd = onEnd
        }

        func deliver(_ payload: SubscriptionPayload) -> Bool { fan.deliver(payload) }
        func tell(_ notice: HubNotice) { fan.tell(notice) }
        func room() async { await fan.room() }

        func end(_ error: SubscriptionError?) {
            onEnd(fan)
            fan.end(error)
        }
    }

    private struct State {
        /// Who listens to the subscription of now, or to the one that is to come.
        var fan = Fan()
        /// The subscription of now, as soon as the hub knows of it.
        var id: SubscriptionID?
        var isActive = false
        var hasBegun = false
    }

    let hub: Hub
    let read: @Sendable (SubscriptionPayload) throws -> Router.Event?
    private let options: SubscriptionOptions
    private let state = Mutex(State())

    init(_ router: Router, _ hub: Hub, options: SubscriptionOptions, decoder: JSONDecoder) {
        self.hub = hub
        self.options = options
        read = { try router.decodeEvent(from: $0.message, using: decoder) }
    }

    func connect() {
        begin(onlyFirst: false)
    }

    /// Connects for a listener, unless somebody has connected before: what was ended stays so.
    func listen() { begin(onlyFirst: true) }

    func reconnect() {
        // What begins connects by itself.
        if !begin(onlyFirst: false) { hub.reconnect(isHeld: false) }
    }

    func disconnect() {
        let (fan, id) = state.withLock { state in
            state.hasBegun = true
            return (state.fan, Self.leave(&state))
        }
        if let id { hub.disconnect(after: id) }
        fan.end(nil)
    }

    /// Nobody can connect or listen anew: goes when nobody listens any more.
    func abandon() {
        let id: SubscriptionID? = state.withLock { state in
            state.fan.count == 0 ? Self.leave(&state) : nil
        }
        if let id { hub.disconnect(after: id) }
    }

    /// A place for a listener, who hears everything from here on.
    func seat() -> SubscriptionSeat {
        let mailbox = SubscriptionMailbox(options)
        // One lock decides who is there when the subscription ends, and who is the last.
        let (fan, number) = state.withLock { state in
            (state.fan, state.hasBegun && !state.isActive ? nil : state.fan.add(mailbox))
        }
        guard let number else {
            mailbox.end(nil)
            return SubscriptionSeat(mailbox)
        }
        mailbox.onLeave { [self] in
            let id: SubscriptionID? = state.withLock { state in
                guard fan.remove(number), state.fan === fan, state.isActive else { return nil }
                return Self.leave(&state)
            }
            if let id { hub.disconnect(after: id) }
        }
        return SubscriptionSeat(mailbox)
    }

    /// Ends what there is; only that, as another may have begun when the hub hears of it.
    private static func leave(_ state: inout State) -> SubscriptionID? {
        guard state.isActive else { return nil }
        state.isActive = false
        return state.id.take()
    }

    /// Subscribes, unless that was done; whether it was done now.
    @discardableResult
    private func begin(onlyFirst: Bool) -> Bool {
        let fan: Fan? = state.withLock { state in
            guard !state.isActive, !(onlyFirst && state.hasBegun) else { return nil }
            // What listened to an earlier one has heard its end.
            if state.hasBegun { state.fan = Fan() }
            state.hasBegun = true
            state.isActive = true
            state.id = nil
            return state.fan
        }
        guard let fan else { return false }
        let ending = Ending(fan) { [weak self] in self?.ended($0) }
        let id = hub.subscribe(RouterProtocol<Router>.Operation(), ending)
        let isWanted = state.withLock { state in
            guard state.fan === fan, state.isActive else { return false }
            state.id = id
            return true
        }
        // Ended by another thread before there was something to end.
        if !isWanted { hub.disconnect(after: id) }
        return true
    }

    /// The subscription is over, be it our doing or not.
    private func ended(_ fan: Fan) {
        let id: SubscriptionID? = state.withLock { state in
            state.fan === fan ? Self.leave(&state) : nil
        }
        if let id { hub.disconnect(after: id) }
    }
}
