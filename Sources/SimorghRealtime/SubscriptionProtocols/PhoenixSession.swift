// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// The messages of Phoenix channels.
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
    /// The one event that a subscription wants.
    private var filters: [SubscriptionID: String] = [:]

    package init(heartbeat: Duration) { requests = PhoenixRequests(heartbeat: heartbeat) }

    /// Begins to tell that this side lives.
    ///
    /// - Parameter subprotocol: What the server chose.
    /// - Returns: That it is ready.
    public mutating func opened(subprotocol: String?) -> [SubscriptionAction] {
        [.ready, requests.begin]
    }

    /// Joins a topic, where nobody has yet, or pushes an event.
    ///
    /// - Parameters:
    ///   - operation: What is asked for.
    ///   - id: Its name.
    /// - Returns: `phx_join` or the event.
    /// - Throws: ``/SimorghCore/InvalidRequest`` when it cannot be written, ``PhoenixError`` for a topic that nobody has joined.
    public mutating func subscribe(
        _ operation: PhoenixProtocol.Operation, id: SubscriptionID
    ) throws -> [SubscriptionAction] {
        switch operation {
        case .topic(let topic, let event, let payload):
            var wanted: [SubscriptionAction] = []
            if let channel = channels[topic] {
                if channel.isJoined { wanted = [.accepted(id)] }
            } else {
                // One whose message cannot be written is not there for the next to share.
                wanted = [try join(topic, payload)]
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
                try PhoenixMessage(channel.joinReference, reference, topic, event, payload).action()
            ]
        }
    }

    /// Leaves a topic that nobody else wants.
    ///
    /// - Parameter id: The subscription's name.
    /// - Returns: `phx_leave`.
    public mutating func unsubscribe(_ id: SubscriptionID) -> [SubscriptionAction] {
        filters[id] = nil
        // What was pushed and is waited for no more: not every server replies.
        _ = requests.remove { if case .push(id, _) = $0 { true } else { false } }
        guard let topic = topics.remove(id).first, let channel = channels.removeValue(forKey: topic) else {
            return [.released(id)]
        }
        let message = PhoenixMessage(channel.joinReference, requests.next(.leave(id)), topic, "phx_leave")
        return (try? message.action()).map { [$0] } ?? [.released(id)]
    }

    /// Reads a message.
    ///
    /// - Parameter message: The message.
    /// - Returns: What to do.
    /// - Throws: `DecodingError` for what is no list of five.
    public mutating func received(_ message: WebSocketMessage) throws -> [SubscriptionAction] {
        let frame = try message.decoded(as: PhoenixMessage.self)
        switch frame.event {
        case "phx_reply": return reply(frame, message)
        case "phx_close": return closed(frame)
        case "phx_error": return crashed(frame)
        default:
            // Of an earlier joining of the topic.
            if let own = frame.joinReference, channels[frame.topic].map({ $0.joinReference != own }) ?? true {
                return []
            }
            return topics[frame.topic].compactMap { id in
                guard let filter = filters[id] else { return .event(id, SubscriptionPayload(message)) }
                return filter == frame.event ? .event(id, SubscriptionPayload(message, at: ["4"])) : nil
            }
        }
    }

    /// Tells that this side lives.
    ///
    /// - Parameter timer: The timer.
    /// - Returns: What to do.
    public mutating func elapsed(_ timer: SubscriptionTimer) -> [SubscriptionAction] { requests.beat() }

    /// Tells that this side lives, without a word on the server.
    ///
    /// - Parameter timer: The timer.
    /// - Returns: What to do.
    public mutating func elapsedUnread(_ timer: SubscriptionTimer) -> [SubscriptionAction] { requests.beatUnread() }

    private mutating func join(_ topic: String, _ payload: JSON) throws -> SubscriptionAction {
        let reference = requests.next(.join(topic))
        let message = try PhoenixMessage(reference, reference, topic, "phx_join", payload).action()
        channels[topic] = Channel(joinReference: reference)
        return message
    }

    private mutating func reply(_ frame: PhoenixMessage, _ message: WebSocketMessage) -> [SubscriptionAction] {
        guard let request = requests.answered(frame.reference) else { return [] }
        let isGood = frame.payload.status.string == "ok"
        let error = PhoenixError(topic: frame.topic, response: frame.payload.response)
        switch request {
        case .leave(let id): return [.released(id)]
        case .push(let id, _):
            guard isGood else { return [.failed(id, error)] }
            return [.event(id, SubscriptionPayload(message, at: ["4", "response"])), .completed(id)]
        case .join(let topic):
            // Left meanwhile, or joined anew.
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
        // It is joined again by whoever is told of again; what was pushed is answered by nobody.
        let error = PhoenixError(topic: frame.topic, response: ["reason": "the channel crashed"])
        let pushes = requests.remove { if case .push(_, frame.topic) = $0 { true } else { false } }
        let failed = pushes.compactMap { push -> SubscriptionAction? in
            if case .push(let id, _) = push { .failed(id, error) } else { nil }
        }
        return failed + forget(frame.topic).map { .postponed($0, error) }
    }

    /// Takes a topic out, and tells who wanted it.
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
