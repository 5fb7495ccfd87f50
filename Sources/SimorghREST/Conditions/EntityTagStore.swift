// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
import HTTPTypes
import SimorghCore
import SimorghSupport
import Synchronization

/// The tags of the resources that a client and its views have read.
final class EntityTagStore: Sendable {
    /// The resource and the user that a tag belongs to.
    struct Key: Sendable, Hashable {
        /// The whole URL, whose origin is in one spelling, and a digest of the route, with which the same URL may be
        /// another resource.
        let url: String
        /// A hash of the credentials, the cookies and the client certificate that the request was sent with.
        let user: String

        /// Creates the key of a request; `nil` if its URL does not name the resource, because `Host` names another host.
        init?(_ request: TransportRequest) {
            guard request.isNamedByURL else { return nil }
            url = request.head.origin + (request.head.path ?? "/") + request.surroundings
            user = Self.user(of: request)
        }

        private static func user(of request: TransportRequest) -> String {
            var request = request
            // Digest credentials are others in each request; the user name stays.
            if let name = request.head.headerFields[.authorization].flatMap(digestUser) {
                request.head.headerFields[.authorization] = name
            }
            let cookies = request.head.headerFields[fields: .cookie].map(\.exactText)
            // The hash of the TLS options includes the client certificate. It is valid for this process, as is the store.
            let parts = ["\(request.options.tls.hashValue)", CachePartition.credentials.text(for: request)] + cookies
            return Hex.encoded(SHA256.hash(data: Array(parts.joined(separator: "\n").utf8)).prefix(16))
        }

        /// Returns the user names in the value of `Authorization`; `nil` for another scheme than Digest.
        private static func digestUser(_ value: String) -> String? {
            let scheme = "digest "
            guard value.lowercased().hasPrefix(scheme) else { return nil }
            let parameters = value.dropFirst(scheme.count).split(separator: ",").map { $0.drop { $0 == " " } }
            return parameters.filter { $0.hasPrefix("username") }.joined(separator: ",")
        }
    }

    /// The key of the store in the state of a client.
    struct StateKey: Hashable, Sendable {}

    /// The largest number of resources; beyond it the least recently used one is forgotten.
    static let capacity = 1000
    /// The largest number of users for each resource.
    static let users = 4
    /// The longest tag to remember, in bytes without the quotes.
    static let tagBytes = 1024

    /// The tags of each resource, the latest last.
    private let tags = Mutex(LRUCache<String, [UserTag]>())

    private struct UserTag: Sendable {
        let user: String
        /// The tag; `nil` if the user's last response had none.
        let tag: EntityTag?
    }

    /// Returns the tag that a user has read last.
    ///
    /// - Parameters:
    ///   - key: The resource and the user.
    ///   - orOfOthers: True to return the latest tag of another user for one without a response. Credentials change, for
    ///     example when a token is refreshed, and a write with a wrong tag undoes no more than one without a condition.
    /// - Returns: The tag; `nil` if none is known.
    func tag(for key: Key, orOfOthers: Bool) -> EntityTag? {
        tags.withLock { tags in
            let known = tags.touch(key.url) ?? []
            if let own = known.last(where: { $0.user == key.user }) { return own.tag }
            return orOfOthers ? known.last(where: { $0.tag != nil })?.tag : nil
        }
    }

    /// Notes the tag of a user's response; one that is too long counts as none.
    func set(_ tag: EntityTag, for key: Key) {
        guard tag.opaque.utf8.count <= Self.tagBytes else { return forget(key) }
        tags.withLock { Self.note(UserTag(user: key.user, tag: tag), for: key.url, in: &$0) }
    }

    /// Forgets the tag of a user.
    ///
    /// Until the next response with a tag, the user does not get that of another one either.
    func forget(_ key: Key) {
        tags.withLock { tags in
            guard let known = tags.peek(key.url) else { return }
            if known.contains(where: { $0.user != key.user && $0.tag != nil }) {
                Self.note(UserTag(user: key.user, tag: nil), for: key.url, in: &tags)
            } else {
                _ = tags.remove(key.url)
            }
        }
    }

    private static func note(_ tag: UserTag, for url: String, in tags: inout LRUCache<String, [UserTag]>) {
        tags.update(url, default: { [] }) { known in
            known.removeAll { $0.user == tag.user }
            known.append(tag)
            if known.count > users { known.removeFirst() }
        }
        if tags.count > capacity { _ = tags.removeOldest() }
    }

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
        let stored = store.tag(for: key, orOfOthers: !isRequired)
        return state.withLock { state in
            if let known = state.chosen[key.url] { return known }
            // A redirect to the same URL over TLS.
            let plain = state.chosen.first { WebOrigin.isUpgrade(of: $0.key, to: key.url) }.flatMap(\.value)
            let tag = stored ?? plain
            state.chosen[key.url] = .some(tag)
            return tag
        }
    }

    /// True if a tag was found for a request of the call.
    var hasTag: Bool { state.withLock { state in state.chosen.values.contains { $0 != nil } } }

    /// Notes that a request was answered; `nil` if its URL does not name the resource.
    func didAnswer(_ key: EntityTagStore.Key?, method: HTTPRequest.Method) {
        state.withLock { $0.answered = key.map { (key: $0, method: method) } }
    }

    /// The request that was answered last; `nil` if a cache answered the call, or if its URL does not name the resource.
    var answered: (key: EntityTagStore.Key, method: HTTPRequest.Method)? { state.withLock { $0.answered } }
}
