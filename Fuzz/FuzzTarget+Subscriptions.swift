// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension FuzzTarget {
    /// What is told to a session until it is over, and what its hub makes of it.
    ///
    /// Whatever a server says, a listener hears of nothing but what it has asked for, ends once, and nothing is left when
    /// all is over.
    private static func speak<Session: SubscriptionSession>(
        _ name: String, _ session: @escaping @Sendable () -> Session,
        _ operations: @escaping @Sendable () -> [Session.Operation]
    ) -> FuzzTarget {
        FuzzTarget(name: name) { bytes in
            var options = SubscriptionOptions()
            options.linger = .seconds(1)
            var machine = SubscriptionHubMachine<Session>(options, random: RandomSource { 0.5 })
            var living: Set<SubscriptionID> = []
            var isOpen = false
            func perform(_ actions: [HubAction]) {
                for action in actions {
                    switch action {
                    case .deliver(let id, let payload):
                        precondition(living.contains(id), "an event for nobody")
                        _ = try? payload.decoded(as: JSON.self)
                    case .tell(let id, _): precondition(living.contains(id), "news for nobody")
                    case .end(let id, _): precondition(living.remove(id) != nil, "ended twice")
                    case .open: isOpen = true
                    case .close, .drop: isOpen = false
                    case .startTimer(_, let duration): precondition(duration >= .zero, "a negative time")
                    default: break
                    }
                }
            }
            for (index, operation) in operations().enumerated() {
                living.insert(SubscriptionID(index + 1))
                perform(
                    machine.subscribe(operation, id: SubscriptionID(index + 1), isOneShot: index.isMultiple(of: 2)))
            }
            perform(machine.linked(1))
            perform(machine.opened(1, session(), subprotocol: nil, now: .zero))
            for (index, text) in bytes.rest.split(separator: 0, omittingEmptySubsequences: false).prefix(100)
                .enumerated()
            {
                let message =
                    text.first == 1
                    ? WebSocketMessage.data(Data(text.dropFirst()))
                    : .text(String(decoding: text, as: UTF8.self))
                perform(machine.received(1, message, now: .seconds(index)))
                if index == 50 { perform(machine.unsubscribe(SubscriptionID(1))) }
            }
            if isOpen {
                let lost = HubLoss(SubscriptionError(.connectionLost, "lost"), verdict: .giveUp)
                perform(machine.lost(machine.generation, lost, now: .seconds(200)))
            } else {
                perform(machine.disconnect())
            }
            precondition(living.isEmpty && machine.entries.isEmpty, "something is left")
        }
    }

    /// Frames of graphql-transport-ws.
    static let graphQLFrames = speak(
        "graphql-frames",
        {
            GraphQLTransportSession(
                initPayload: nil, onAcknowledge: nil, pingInterval: .seconds(1), pongTimeout: .seconds(1))
        }, { ["subscription { a }", "subscription { b }"] })

    /// Frames of the older graphql-ws.
    static let legacyGraphQLFrames = speak(
        "legacy-graphql-frames", { LegacyGraphQLSession(initPayload: nil, keepAliveTimeout: .seconds(9)) },
        { ["subscription { a }", "subscription { b }"] })

    /// Frames of AppSync.
    static let appSyncFrames = speak(
        "appsync-frames", { AppSyncSession() }, { ["subscription { a }", "subscription { b }"] })

    /// Frames of AppSync Events.
    static let appSyncEventsFrames = speak(
        "appsync-events-frames", { AppSyncEventsSession() }, { [.channel("/a/b"), .publish("/a/b", [1])] })

    /// Frames of Binance, with the names of streams and without.
    static let binanceFrames = speak(
        "binance-frames", { BinanceSession(isCombined: false) }, { ["a@trade", ["a@trade", "b@kline_1m"]] })

    /// Frames of Phoenix.
    static let phoenixFrames = speak(
        "phoenix-frames", { PhoenixSession(heartbeat: .seconds(30)) }, { [.topic("a"), .topic("a", event: "e")] })

    /// Frames of Absinthe.
    static let absintheFrames = speak(
        "absinthe-frames", { AbsintheSession(heartbeat: .seconds(30)) }, { ["subscription { a }", "{ b }"] })

    /// Frames of Pusher.
    static let pusherFrames = speak(
        "pusher-frames", { PusherSession(pongTimeout: .seconds(30)) }, { [.channel("a"), .channel("a", event: "e")] })
}
