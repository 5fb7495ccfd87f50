// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// The messages of Pusher channels.
public struct PusherSession: SubscriptionSession {
    private static let activity: SubscriptionTimer = "activity"
    private static let pong: SubscriptionTimer = "pong"
    /// Less than so many seconds of silence are no reason to ask, whatever the server says.
    private static let leastActivity = 0.1

    let pongTimeout: Duration
    /// What the server calls this connection; empty before it has said so.
    public private(set) var socketID = ""
    private var activityTimeout = Duration.seconds(120)
    private var hasHeard = false
    /// Whether a ping has no answer yet.
    private var isAsking = false
    private var topics = SubscriptionTopics()
    private var joined: Set<String> = []
    /// The one event that a subscription wants.
    private var filters: [SubscriptionID: String] = [:]

    package init(pongTimeout: Duration) { self.pongTimeout = pongTimeout }

    /// Waits for the server, which speaks first.
    ///
    /// - Parameter subprotocol: What the server chose.
    /// - Returns: Nothing.
    public mutating func opened(subprotocol: String?) -> [SubscriptionAction] { [] }

    /// Subscribes to a channel, where nobody has yet, or sends an event.
    ///
    /// - Parameters:
    ///   - operation: What is asked for.
    ///   - id: Its name.
    /// - Returns: `pusher:subscribe` or the event.
    /// - Throws: ``/SimorghCore/InvalidRequest`` when it cannot be written.
    public mutating func subscribe(
        _ operation: PusherProtocol.Operation, id: SubscriptionID
    ) throws -> [SubscriptionAction] {
        switch operation {
        case .channel(let channel, let event, let authorization):
            var wanted: [SubscriptionAction] = joined.contains(channel) ? [.accepted(id)] : []
            if topics[channel].isEmpty {
                var data = authorization.object ?? [:]
                data["channel"] = .string(channel)
                // One whose message cannot be written is not there for the next to share.
                wanted = [try .send(["event": "pusher:subscribe", "data": .object(data)])]
            }
            if let event { filters[id] = event }
            _ = topics.add(id, to: [channel])
            return wanted
        case .trigger(let channel, let event, let data):
            return [
                try .send(["event": .string(event), "channel": .string(channel), "data": data]),
                .event(id, SubscriptionPayload(.text("null"))), .completed(id),
            ]
        }
    }

    /// Ends a channel that nobody else wants.
    ///
    /// - Parameter id: The subscription's name.
    /// - Returns: `pusher:unsubscribe`, which the server does not answer.
    public mutating func unsubscribe(_ id: SubscriptionID) -> [SubscriptionAction] {
        filters[id] = nil
        guard let channel = topics.remove(id).first else { return [.released(id)] }
        joined.remove(channel)
        let message: JSON = ["event": "pusher:unsubscribe", "data": ["channel": .string(channel)]]
        return ((try? .send(message)).map { [$0] } ?? []) + [.released(id)]
    }

    /// Reads a message.
    ///
    /// - Parameter message: The message.
    /// - Returns: What to do.
    /// - Throws: `DecodingError` for what is none of Pusher's.
    public mutating func received(_ message: WebSocketMessage) throws -> [SubscriptionAction] {
        let frame = try message.decoded(as: PusherMessage.self)
        hasHeard = true
        guard isAsking else { return read(frame, message) }
        isAsking = false
        return [.stopTimer(Self.pong)] + read(frame, message)
    }

    private mutating func read(_ frame: PusherMessage, _ message: WebSocketMessage) -> [SubscriptionAction] {
        switch frame.event {
        case "pusher:connection_established":
            socketID = frame.value.socket_id.string ?? ""
            if let seconds = frame.value.activity_timeout.double, seconds > 0 {
                activityTimeout = Duration(clampingSeconds: max(seconds, Self.leastActivity))
            }
            return [.ready, .startTimer(Self.activity, activityTimeout)]
        case "pusher:ping": return [.sendLatest(.text(#"{"event":"pusher:pong","data":{}}"#))]
        case "pusher:pong": return []
        case "pusher:error": return refused(frame)
        case "pusher_internal:subscription_succeeded":
            guard let channel = frame.channel else { return [] }
            let ids = topics[channel]
            // Where it was left meanwhile, the next that wants it asks anew.
            if !ids.isEmpty { joined.insert(channel) }
            return ids.map { .accepted($0) }
        case "pusher:subscription_error":
            guard let channel = frame.channel else { return [] }
            let error = PusherError(
                code: frame.value.status.int ?? 0,
                message: frame.value.error.string ?? "the subscription was refused")
            joined.remove(channel)
            let ids = topics[channel]
            for id in ids {
                _ = topics.remove(id)
                filters[id] = nil
            }
            return ids.map { .failed($0, error) }
        default:
            guard let channel = frame.channel else { return [] }
            return topics[channel].compactMap { id in
                guard let filter = filters[id] else { return .event(id, SubscriptionPayload(message)) }
                guard filter == frame.event else { return nil }
                guard let text = frame.data.string else {
                    return .event(id, SubscriptionPayload(message, at: ["data"]))
                }
                return .event(id, SubscriptionPayload(.text(text)))
            }
        }
    }

    /// Asks a silent server for a sign of life, or gives up waiting for one.
    ///
    /// - Parameter timer: The timer.
    /// - Returns: What to do.
    public mutating func elapsed(_ timer: SubscriptionTimer) -> [SubscriptionAction] {
        guard timer == Self.activity else {
            guard isAsking else { return [] }
            return [.reconnect(SubscriptionError(.timedOut, "a ping was not answered after \(pongTimeout.shown)"))]
        }
        defer { hasHeard = false }
        let next = SubscriptionAction.startTimer(Self.activity, activityTimeout)
        guard !hasHeard, !isAsking else { return [next] }
        isAsking = true
        return [.send(.text(#"{"event":"pusher:ping","data":{}}"#)), .startTimer(Self.pong, pongTimeout), next]
    }

    private func refused(_ frame: PusherMessage) -> [SubscriptionAction] {
        let error = PusherError(code: frame.value.code.int ?? 0, message: frame.value.message.string ?? "")
        // Outside of the range that ends a connection it is a complaint about one message.
        return (4000...4099).contains(error.code) ? [.giveUp(error)] : []
    }
}
