// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// The session of Phoenix channels.
public struct PhoenixSession: SubscriptionSession {
    private enum Request: Sendable {
        case join(String)
        case leave(SubscriptionID)
        case push(SubscriptionID, String)
    }

    private struct Channel: Sendable {
        let joinReference: String
        var isJoined = false
    }

    private var requests: PhoenixRequests<Request>
    private var channels: [String: Channel] = [:]
    private var topics = SubscriptionTopics()
    /// The event that a subscription is limited to.
    private var filters: [SubscriptionID: String] = [:]

    package init(heartbeat: Duration) { requests = PhoenixRequests(heartbeat: heartbeat) }

    /// Starts the heartbeat.
    ///
    /// - Parameter subprotocol: The subprotocol that the server selected.
    /// - Returns: ``SubscriptionAction/ready`` and the timer of the heartbeat.
    public mutating func opened(subprotocol: String?) -> [SubscriptionAction] {
        [.ready, requests.begin]
    }

    /// Joins a topic unless it is joined already, or pushes an event.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - id: The identifier of the subscription.
    /// - Returns: A `phx_join` message or the event.
    /// - Throws: ``/SimorghCore/InvalidRequestError`` if the operation cannot be encoded, ``PhoenixError`` for a push to a
    ///   topic that is not joined.
    public mutating func subscribe(
        _ operation: PhoenixProtocol.Operation, id: SubscriptionID
    ) throws -> [SubscriptionAction] {
        switch operation {
        case .topic(let topic, let event, let payload):
            var wanted: [SubscriptionAction] = []
            if let channel = channels[topic] {
                if channel.isJoined { wanted = [.accepted(id)] }
            } else {
                // Added after the message was encoded, so that later subscriptions do not share a failed join.
                wanted = [try join(topic, payload: payload)]
            }
            if let event { filters[id] = event }
            _ = topics.add(id, to: [topic])
            return wanted
        case .push(let topic, let event, let payload):
            guard let channel = channels[topic] else {
                throw PhoenixError(topic: topic, response: ["reason": "the topic is not joined"])
            }
            let reference = requests.next(.push(id, topic))
            return [
                try PhoenixMessage(
                    joinReference: channel.joinReference, reference: reference, topic: topic, event: event,
                    payload: payload
                ).action()
            ]
        }
    }

    /// Leaves a topic that no other subscription needs.
    ///
    /// - Parameter id: The identifier of the subscription.
    /// - Returns: A `phx_leave` message.
    public mutating func unsubscribe(_ id: SubscriptionID) -> [SubscriptionAction] {
        filters[id] = nil
        // Forgets the subscription's push, because not every server replies.
        _ = requests.remove { if case .push(id, _) = $0 { true } else { false } }
        guard let topic = topics.remove(id).first, let channel = channels.removeValue(forKey: topic) else {
            return [.released(id)]
        }
        let message = PhoenixMessage(
            joinReference: channel.joinReference, reference: requests.next(.leave(id)), topic: topic,
            event: "phx_leave")
        return (try? message.action()).map { [$0] } ?? [.released(id)]
    }

    /// Handles a message.
    ///
    /// - Parameter message: The message.
    /// - Returns: The actions.
    /// - Throws: `DecodingError` if the message is not an array of five elements.
    public mutating func received(_ message: WebSocketMessage) throws -> [SubscriptionAction] {
        let frame = try message.decoded(as: PhoenixMessage.self)
        switch frame.event {
        case "phx_reply": return reply(frame, message: message)
        case "phx_close": return closed(frame)
        case "phx_error": return crashed(frame)
        default:
            // The message belongs to an earlier join of the topic.
            if let own = frame.joinReference, channels[frame.topic].map({ $0.joinReference != own }) ?? true {
                return []
            }
            return topics[frame.topic].compactMap { id in
                guard let filter = filters[id] else { return .event(id, SubscriptionPayload(message)) }
                return filter == frame.event ? .event(id, SubscriptionPayload(message, at: ["4"])) : nil
            }
        }
    }

    /// Sends a heartbeat.
    ///
    /// - Parameter timer: The timer.
    /// - Returns: The actions.
    public mutating func elapsed(_ timer: SubscriptionTimer) -> [SubscriptionAction] { requests.sendHeartbeat() }

    /// Sends a heartbeat, without expecting that the previous one was answered.
    ///
    /// - Parameter timer: The timer.
    /// - Returns: The actions.
    public mutating func timerFiredWhilePaused(_ timer: SubscriptionTimer) -> [SubscriptionAction] {
        requests.heartbeatWhilePaused()
    }

    private mutating func join(_ topic: String, payload: JSON) throws -> SubscriptionAction {
        let reference = requests.next(.join(topic))
        let message = try PhoenixMessage(
            joinReference: reference, reference: reference, topic: topic, event: "phx_join", payload: payload
        ).action()
        channels[topic] = Channel(joinReference: reference)
        return message
    }

    private mutating func reply(_ frame: PhoenixMessage, message: WebSocketMessage) -> [SubscriptionAction] {
        guard let request = requests.answered(frame.reference) else { return [] }
        let isGood = frame.payload.status.string == "ok"
        let error = PhoenixError(topic: frame.topic, response: frame.payload.response)
        switch request {
        case .leave(let id): return [.released(id)]
        case .push(let id, _):
            guard isGood else { return [.failed(id, error)] }
            return [.event(id, SubscriptionPayload(message, at: ["4", "response"])), .completed(id)]
        case .join(let topic):
            // The topic was left or joined again in the meantime.
            guard channels[topic]?.joinReference == frame.reference else { return [] }
            if isGood {
                channels[topic]?.isJoined = true
                return topics[topic].map { .accepted($0) }
            }
            return forget(topic).map { .failed($0, error) }
        }
    }

    private mutating func closed(_ frame: PhoenixMessage) -> [SubscriptionAction] {
        guard let channel = channels[frame.topic], frame.joinReference.map({ $0 == channel.joinReference }) ?? true
        else { return [] }
        return forget(frame.topic).map { .completed($0) }
    }

    private mutating func crashed(_ frame: PhoenixMessage) -> [SubscriptionAction] {
        guard let channel = channels[frame.topic], frame.joinReference.map({ $0 == channel.joinReference }) ?? true
        else { return [] }
        // The topic is joined again when its postponed subscriptions are retried; pending pushes get no reply.
        let error = PhoenixError(topic: frame.topic, response: ["reason": "the channel crashed"])
        let pushes = requests.remove { if case .push(_, frame.topic) = $0 { true } else { false } }
        let failed = pushes.compactMap { push -> SubscriptionAction? in
            if case .push(let id, _) = push { .failed(id, error) } else { nil }
        }
        return failed + forget(frame.topic).map { .postponed($0, error) }
    }

    /// Removes a topic and returns its subscriptions.
    private mutating func forget(_ topic: String) -> [SubscriptionID] {
        channels[topic] = nil
        let ids = topics[topic]
        for id in ids {
            _ = topics.remove(id)
            filters[id] = nil
        }
        return ids
    }
}
