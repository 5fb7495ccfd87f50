// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghRealtime
import SimorghSupport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension FuzzTarget {
    /// A state machine and a model of its owner: timers, live subscriptions, and pending work.
    private struct Conversation<Session: SubscriptionSession> {
        var machine: SubscriptionStateMachine<Session>
        let session: @Sendable () -> Session
        let operations: [Session.Operation]
        var living: Set<SubscriptionID> = []
        var open: Int?
        /// True if the machine has requested a connection that its owner has not opened yet.
        var isAsked = false
        var timers: [SubscriptionMachineTimer] = []
        var preparing: [SubscriptionID] = []
        var now = Duration.zero

        mutating func perform(_ actions: [SubscriptionMachineAction]) {
            for action in actions {
                switch action {
                case .deliver(let id, let payload):
                    precondition(living.contains(id), "an event for an ended subscription")
                    _ = try? payload.decoded(as: JSON.self)
                case .notify(let id, _): precondition(living.contains(id), "a status for an ended subscription")
                case .end(let id, _): precondition(living.remove(id) != nil, "ended twice")
                case .open(let number, _): (open, isAsked) = (number, true)
                case .close, .drop: open = nil
                case .prepare(_, let id): preparing.append(id)
                case .cancelPreparation(let id): preparing.removeAll { $0 == id }
                case .startTimer(let timer, let duration):
                    precondition(duration >= .zero, "a negative duration")
                    timers.removeAll { $0 == timer }
                    timers.append(timer)
                case .stopTimer(let timer): timers.removeAll { $0 == timer }
                case .stopTimers: timers = []
                default: break
                }
            }
        }

        /// Connects if the machine has requested it.
        mutating func connect() {
            guard isAsked, let open else { return }
            isAsked = false
            perform(machine.requestCreated(open))
            perform(machine.connectionOpened(open))
            perform(machine.sessionStarted(open, session: session(), subprotocol: nil, now: now))
        }

        /// Performs an event other than a message.
        mutating func happen(_ kind: UInt8, _ choice: Int) {
            switch kind {
            case 2:
                guard !timers.isEmpty else { return }
                perform(machine.elapsed(timers.remove(at: choice % timers.count), now: now))
            case 3: perform(machine.reconnect())
            case 4:
                guard !preparing.isEmpty else { return }
                let id = preparing.remove(at: choice % preparing.count)
                let failure = SubscriptionError(choice.isMultiple(of: 2) ? .timedOut : .refused, message: "no")
                perform(
                    machine.prepared(
                        machine.generation, id: id,
                        outcome: choice % 3 == 0 ? .failure(failure) : .success(operations[choice % operations.count])))
            case 5:
                guard let open else { return }
                self.open = nil
                perform(
                    machine.lost(
                        open, loss: ConnectionLoss(SubscriptionError(.connectionLost, message: "lost")), now: now))
            case 6: perform(machine.suspended(machine.generation))
            case 7: perform(machine.resumed(machine.generation, now: now))
            case 8: perform(machine.unsubscribe(SubscriptionID(choice % 8)))
            default: perform(machine.written(machine.generation, id: SubscriptionID(choice % 8)))
            }
        }
    }

    /// Creates a target that feeds a session and its hub with messages until everything has ended.
    ///
    /// Whatever the server sends and whatever happens meanwhile, a listener receives only events of its subscription,
    /// ends once, and nothing is left at the end. Lines that begin with a byte from 2 to 9 are other events.
    private static func speak<Session: SubscriptionSession>(
        _ name: String, _ session: @escaping @Sendable () -> Session,
        _ operations: @escaping @Sendable () -> [Session.Operation]
    ) -> FuzzTarget {
        FuzzTarget(name: name) { bytes in
            var options = SubscriptionOptions()
            options.linger = .seconds(1)
            let lines = bytes.rest.split(separator: 0, omittingEmptySubsequences: false).prefix(100)
            var talk = Conversation(
                machine: SubscriptionStateMachine<Session>(
                    options, preparesOperations: lines.first?.first == 4, random: RandomSource { 0.5 }),
                session: session, operations: operations())
            for (index, operation) in talk.operations.enumerated() {
                talk.living.insert(SubscriptionID(index + 1))
                talk.perform(
                    talk.machine.subscribe(operation, id: SubscriptionID(index + 1), isOneShot: index.isMultiple(of: 2))
                )
            }
            for (index, text) in lines.enumerated() {
                talk.now = .seconds(index)
                talk.connect()
                if let kind = text.first, (2...9).contains(kind) {
                    talk.happen(kind, Int(text.dropFirst().first ?? 0))
                    continue
                }
                let message =
                    text.first == 1
                    ? WebSocketMessage.data(Data(text.dropFirst()))
                    : .text(String(decoding: text, as: UTF8.self))
                talk.perform(talk.machine.received(talk.machine.generation, message: message, now: talk.now))
                if index == 50 { talk.perform(talk.machine.unsubscribe(SubscriptionID(1))) }
            }
            talk.perform(talk.machine.disconnect())
            for _ in 0..<1000 where !talk.timers.isEmpty {
                talk.perform(talk.machine.elapsed(talk.timers.removeFirst(), now: .seconds(1000)))
            }
            precondition(talk.living.isEmpty && talk.machine.entries.isEmpty, "subscriptions are left")
            precondition(talk.open == nil && talk.timers.isEmpty && talk.preparing.isEmpty, "something still runs")
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
