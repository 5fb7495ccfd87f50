// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A table of topics and subscriptions, for protocols that route messages by topic.
///
/// Several subscriptions to a topic share one subscription on the server.
public struct SubscriptionTopics: Sendable {
    private var topics: [SubscriptionID: [String]] = [:]
    private var subscribers: [String: [SubscriptionID]] = [:]

    /// Creates an empty table.
    public init() {}

    /// Adds a subscription.
    ///
    /// - Parameters:
    ///   - id: The identifier of the subscription.
    ///   - names: The topics of the subscription.
    /// - Returns: The topics that had no subscription before, which must be subscribed on the server.
    public mutating func add(_ id: SubscriptionID, to names: [String]) -> [String] {
        var added: [String] = []
        for name in names where topics[id]?.contains(name) != true {
            topics[id, default: []].append(name)
            if subscribers[name] == nil { added.append(name) }
            subscribers[name, default: []].append(id)
        }
        return added
    }

    /// Removes a subscription.
    ///
    /// - Parameter id: The identifier of the subscription.
    /// - Returns: The topics without subscriptions now, which must be unsubscribed on the server.
    public mutating func remove(_ id: SubscriptionID) -> [String] {
        var left: [String] = []
        for name in topics.removeValue(forKey: id) ?? [] {
            subscribers[name]?.removeAll { $0 == id }
            guard subscribers[name]?.isEmpty == true else { continue }
            subscribers[name] = nil
            left.append(name)
        }
        return left
    }

    /// The subscriptions of a topic, the earliest first.
    ///
    /// - Parameter name: The topic.
    public subscript(name: String) -> [SubscriptionID] { subscribers[name] ?? [] }

    /// The topics of a subscription.
    ///
    /// - Parameter id: The identifier of the subscription.
    public subscript(id: SubscriptionID) -> [String] { topics[id] ?? [] }

    /// All topics with a subscription, sorted.
    public var all: [String] { subscribers.keys.sorted() }
}
