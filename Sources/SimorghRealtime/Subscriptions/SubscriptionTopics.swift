// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Which subscriptions want what, for protocols that route by topic and not by subscription: a topic is asked for once,
/// however many want it.
public struct SubscriptionTopics: Sendable {
    private var topics: [SubscriptionID: [String]] = [:]
    private var subscribers: [String: [SubscriptionID]] = [:]

    /// Creates a table without an entry.
    public init() {}

    /// Adds a subscription.
    ///
    /// - Parameters:
    ///   - id: Its name.
    ///   - names: The topics that it wants.
    /// - Returns: Those that nobody wanted before: they are to be asked for.
    public mutating func add(_ id: SubscriptionID, to names: [String]) -> [String] {
        var added: [String] = []
        for name in names where topics[id]?.contains(name) != true {
            topics[id, default: []].append(name)
            if subscribers[name] == nil { added.append(name) }
            subscribers[name, default: []].append(id)
        }
        return added
    }

    /// Takes a subscription out.
    ///
    /// - Parameter id: Its name.
    /// - Returns: The topics that nobody wants any more.
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

    /// Who wants a topic, the earliest first.
    ///
    /// - Parameter name: The topic.
    public subscript(name: String) -> [SubscriptionID] { subscribers[name] ?? [] }

    /// What a subscription wants.
    ///
    /// - Parameter id: Its name.
    public subscript(id: SubscriptionID) -> [String] { topics[id] ?? [] }

    /// Everything that somebody wants, sorted.
    public var all: [String] { subscribers.keys.sorted() }
}
