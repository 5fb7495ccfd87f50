// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport
import Synchronization

/// The tags of the resources that a client and its views have read.
final class EntityTagStore: Sendable {
    /// The resource and the user that a tag belongs to.
    struct Key: Sendable, Hashable {
        /// The whole URL, whose origin is in one spelling.
        let url: String
        /// A hash of the credentials that the request was sent with; empty without credentials.
        let user: String

        init(_ request: TransportRequest) {
            url = request.head.origin + (request.head.path ?? "/")
            user = CachePartition.credentials.text(for: request)
        }
    }

    /// The key of the store in the state of a client.
    struct StateKey: Hashable, Sendable {}

    /// The largest number of resources; beyond it the least recently used one is forgotten.
    static let capacity = 1000
    /// The largest number of users for each resource.
    static let users = 4

    /// The tags of each resource, the latest last.
    private let tags = Mutex(LRUCache<String, [UserTag]>())

    private struct UserTag: Sendable {
        let user: String
        let tag: EntityTag
    }

    /// Returns the tag that a user has read last.
    ///
    /// Without one it is the tag that was read last: credentials change, for example when a token is refreshed. If it
    /// belongs to another user the write fails at worst, whereas without a tag it would overwrite every change.
    func tag(for key: Key) -> EntityTag? {
        tags.withLock { tags in
            let known = tags.touch(key.url) ?? []
            return (known.last { $0.user == key.user } ?? known.last)?.tag
        }
    }

    /// Notes a tag.
    func set(_ tag: EntityTag, for key: Key) {
        tags.withLock { tags in
            tags.update(key.url, default: { [] }) { known in
                known.removeAll { $0.user == key.user }
                known.append(UserTag(user: key.user, tag: tag))
                if known.count > Self.users { known.removeFirst() }
            }
            if tags.count > Self.capacity { tags.removeOldest() }
        }
    }

    /// Forgets the tags of a resource, of all users.
    func remove(_ url: String) { _ = tags.withLock { $0.remove(url) } }

    /// The number of resources.
    var count: Int { tags.withLock { $0.count } }
}

/// The tags of one call: the same for all its attempts.
final class EntityTagExchange: Sendable {
    enum InfoKey: UserInfo.Key {
        static let defaultValue: EntityTagExchange? = nil
    }

    private struct State: Sendable {
        /// The tags that were looked up, by URL; `nil` for none.
        var chosen: [String: EntityTag?] = [:]
        /// The request that was answered last.
        var answered: (key: EntityTagStore.Key, method: HTTPRequest.Method)?
    }

    private let state = Mutex(State())
    let store: EntityTagStore
    let isRequired: Bool

    init(store: EntityTagStore, isRequired: Bool) {
        self.store = store
        self.isRequired = isRequired
    }

    /// Returns the tag for a request; the same for each attempt, even if another call has read the resource meanwhile.
    func tag(for key: EntityTagStore.Key) -> EntityTag? {
        let stored = store.tag(for: key)
        return state.withLock { state in
            if let known = state.chosen[key.url] { return known }
            state.chosen[key.url] = .some(stored)
            return stored
        }
    }

    /// Notes that a request was answered.
    func didAnswer(_ key: EntityTagStore.Key, method: HTTPRequest.Method) {
        state.withLock { $0.answered = (key, method) }
    }

    /// The request that was answered last; `nil` if a cache answered the call.
    var answered: (key: EntityTagStore.Key, method: HTTPRequest.Method)? { state.withLock { $0.answered } }
}
