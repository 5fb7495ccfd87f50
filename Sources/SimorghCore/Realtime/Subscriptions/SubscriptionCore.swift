// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The one subscription of a ``SubscriptionConnection``, and who listens to it.
final class SubscriptionCore<Router: SubscriptionRouter>: Sendable {
    typealias Hub = SubscriptionHub<RouterProtocol<Router>>

    /// Hands each thing to all who listen.
    private final class Fan: SubscriptionSink {
        private struct State {
            var mailboxes: [Int: SubscriptionMailbox] = [:]
            var last = 0
            var full: [SubscriptionMailbox] = []
        }

        private let state = Mutex(State())

        var count: Int { state.withLock { $0.mailboxes.count } }

        func add(_ mailbox: SubscriptionMailbox) -> Int {
            state.withLock { state in
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
        var isActive = false
        var hasBegun = false
        var isAbandoned = false
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
        hub.connect()
    }

    /// Connects for a listener, unless somebody has connected before: what was ended stays so.
    func listen() { begin(onlyFirst: true) }

    func reconnect() {
        begin(onlyFirst: false)
        hub.reconnect()
    }

    func disconnect() {
        let fan = state.withLock { state in
            state.hasBegun = true
            state.isActive = false
            return state.fan
        }
        hub.disconnect()
        fan.end(nil)
    }

    /// Nobody can connect or listen anew: goes when nobody listens any more.
    func abandon() {
        let isAlone = state.withLock { state in
            state.isAbandoned = true
            return state.fan.count == 0
        }
        if isAlone { hub.disconnect() }
    }

    /// A place for a listener, who hears everything from here on.
    func seat() -> SubscriptionSeat {
        let mailbox = SubscriptionMailbox(options)
        let (fan, isOver) = state.withLock { ($0.fan, $0.hasBegun && !$0.isActive) }
        guard !isOver else {
            mailbox.end(nil)
            return SubscriptionSeat(mailbox)
        }
        let number = fan.add(mailbox)
        mailbox.onLeave { [self] in
            guard fan.remove(number) else { return }
            let isLast = state.withLock { state in
                guard state.fan === fan, state.isActive else { return state.isAbandoned }
                state.isActive = false
                return true
            }
            if isLast { hub.disconnect() }
        }
        return SubscriptionSeat(mailbox)
    }

    private func begin(onlyFirst: Bool) {
        let fan: Fan? = state.withLock { state in
            guard !state.isActive, !(onlyFirst && state.hasBegun) else { return nil }
            // What listened to an earlier one has heard its end.
            if state.hasBegun { state.fan = Fan() }
            state.hasBegun = true
            state.isActive = true
            return state.fan
        }
        guard let fan else { return }
        let ending = Ending(fan) { [weak self] in self?.ended($0) }
        _ = hub.subscribe(RouterProtocol<Router>.Operation(), ending)
        // Ended by another thread before there was something to end.
        if !state.withLock({ $0.fan === fan && $0.isActive }) { hub.disconnect() }
    }

    /// The subscription is over, be it our doing or not.
    private func ended(_ fan: Fan) {
        let isOurs = state.withLock { state in
            guard state.fan === fan, state.isActive else { return false }
            state.isActive = false
            return true
        }
        if isOurs { hub.disconnect() }
    }
}
