// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// The session of Pusher channels.
public struct PusherSession: SubscriptionSession {
    private static let activity: SubscriptionTimer = "activity"
    private static let pong: SubscriptionTimer = "pong"
    /// The minimum activity timeout in seconds, whatever the server sends.
    private static let minimumActivityTimeout = 0.1

    let pongTimeout: Duration
    /// The server's ID of the connection; empty until the server has sent it.
    public private(set) var socketID = ""
    private var activityTimeout = Duration.seconds(120)
    private var hasReceivedMessage = false
    /// True if a ping is unanswered.
    private var isAwaitingPong = false
    private var topics = SubscriptionTopics()
    private var joined: Set<String> = []
    /// The event that a subscription is limited to.
    private var filters: [SubscriptionID: String] = [:]

    package init(pongTimeout: Duration) { self.pongTimeout = pongTimeout }

    /// Waits for the first message of the server.
    ///
    /// - Parameter subprotocol: The subprotocol that the server selected.
    /// - Returns: No actions.
    public mutating func opened(subprotocol: String?) -> [SubscriptionAction] { [] }

    /// Subscribes to a channel unless it is subscribed already, or sends an event.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - id: The identifier of the subscription.
    /// - Returns: A `pusher:subscribe` message or the event.
    /// - Throws: ``/SimorghCore/InvalidRequestError`` if the operation cannot be encoded.
    public mutating func subscribe(
        _ operation: PusherProtocol.Operation, id: SubscriptionID
    ) throws -> [SubscriptionAction] {
        switch operation {
        case .channel(let channel, let event, let authorization):
            var wanted: [SubscriptionAction] = joined.contains(channel) ? [.accepted(id)] : []
            if topics[channel].isEmpty {
                var data = authorization.object ?? [:]
                data["channel"] = .string(channel)
                // Encoded before the subscription is added, so that later ones do not share a failed message.
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

    /// Unsubscribes from a channel that no other subscription needs.
    ///
    /// - Parameter id: The identifier of the subscription.
    /// - Returns: A `pusher:unsubscribe` message, which the server does not answer.
    public mutating func unsubscribe(_ id: SubscriptionID) -> [SubscriptionAction] {
        filters[id] = nil
        guard let channel = topics.remove(id).first else { return [.released(id)] }
        joined.remove(channel)
        let message: JSON = ["event": "pusher:unsubscribe", "data": ["channel": .string(channel)]]
        return ((try? .send(message)).map { [$0] } ?? []) + [.released(id)]
    }

    /// Handles a message.
    ///
    /// - Parameter message: The message.
    /// - Returns: The actions.
    /// - Throws: `DecodingError` if it is not a message of Pusher.
    public mutating func received(_ message: WebSocketMessage) throws -> [SubscriptionAction] {
        let frame = try message.decoded(as: PusherMessage.self)
        hasReceivedMessage = true
        guard isAwaitingPong else { return read(frame, message: message) }
        isAwaitingPong = false
        return [.stopTimer(Self.pong)] + read(frame, message: message)
    }

    private mutating func read(_ frame: PusherMessage, message: WebSocketMessage) -> [SubscriptionAction] {
        switch frame.event {
        case "pusher:connection_established":
            socketID = frame.value.socket_id.string ?? ""
            if let seconds = frame.value.activity_timeout.double, seconds > 0 {
                activityTimeout = Duration(clampingSeconds: max(seconds, Self.minimumActivityTimeout))
            }
            return [.ready, .startTimer(Self.activity, activityTimeout)]
        case "pusher:ping": return [.sendLatest(.text(#"{"event":"pusher:pong","data":{}}"#))]
        case "pusher:pong": return []
        case "pusher:error": return refused(frame)
        case "pusher_internal:subscription_succeeded":
            guard let channel = frame.channel else { return [] }
            let ids = topics[channel]
            // If the channel was left in the meantime, the next subscription subscribes again.
            if !ids.isEmpty { joined.insert(channel) }
            return ids.map { .accepted($0) }
        case "pusher:subscription_error":
            guard let channel = frame.channel else { return [] }
            let error = PusherError(
                code: frame.value.status.int ?? 0,
                message: frame.value.error.string ?? "the server rejected the subscription")
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

    /// Sends a ping to a silent server, or reconnects if a ping was not answered in time.
    ///
    /// - Parameter timer: The timer.
    /// - Returns: The actions.
    public mutating func elapsed(_ timer: SubscriptionTimer) -> [SubscriptionAction] {
        guard timer == Self.activity else {
            guard isAwaitingPong else { return [] }
            return [
                .reconnect(SubscriptionError(.timedOut, message: "no answer to a ping within \(pongTimeout.shown)"))
            ]
        }
        defer { hasReceivedMessage = false }
        let next = SubscriptionAction.startTimer(Self.activity, activityTimeout)
        guard !hasReceivedMessage, !isAwaitingPong else { return [next] }
        isAwaitingPong = true
        return [.send(.text(#"{"event":"pusher:ping","data":{}}"#)), .startTimer(Self.pong, pongTimeout), next]
    }

    private func refused(_ frame: PusherMessage) -> [SubscriptionAction] {
        let error = PusherError(code: frame.value.code.int ?? 0, message: frame.value.message.string ?? "")
        // Codes outside of this range do not end the connection; they complain about a single message.
        return (4000...4099).contains(error.code) ? [.giveUp(error)] : []
    }
}
