// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
public import SimorghCore
import Synchronization

/// A call's permission to use an application cache, and the outcome of its lookup.
package final class AppCacheTicket: Sendable {
    /// The information needed to store the response once it has been decoded.
    package struct Entry: Sendable {
        package let key: AppCacheKey
        /// True if the response came from the cache, which therefore holds it already.
        package let isHit: Bool
        /// The moment before the request was sent.
        package let moment: AppCache.Moment
        /// The request's header fields; `nil` if the application set a name, which is the whole key.
        package let request: HTTPFields?
    }

    /// The use that a call makes of the cache.
    package enum Purpose: Sendable, Hashable {
        /// A response, from the server if the cache has none.
        case answer
        /// A lookup only; no request is sent.
        case lookUp
        /// Only the key; nothing is looked up or sent.
        case locate
    }

    package let cache: AppCache
    package let level: CachingLevel
    package let kind: AppCacheKey.Kind
    /// The name that the application set; `nil` for the URL.
    package let name: String?
    package let purpose: Purpose
    private let found = Mutex<Entry?>(nil)

    package init(
        _ cache: AppCache, level: CachingLevel, kind: AppCacheKey.Kind, name: String?, purpose: Purpose = .answer
    ) {
        self.cache = cache
        self.level = level
        self.kind = kind
        self.name = name
        self.purpose = purpose
    }

    /// The outcome of the call's last exchange; `nil` if it did not reach the cache.
    package var entry: Entry? { found.withLock { $0 } }

    /// Discards the outcome, because the response must not be stored.
    package func forget() { found.withLock { $0 = nil } }

    package func note(_ key: AppCacheKey, isHit: Bool, moment: AppCache.Moment, request: HTTPFields?) {
        found.withLock { $0 = Entry(key: key, isHit: isHit, moment: moment, request: request) }
    }
}

extension APIClient.Configuration {
    private enum SharedKey: UserInfo.Key { static let defaultValue: AppCache? = nil }
    private enum TicketKey: UserInfo.Key { static let defaultValue: AppCacheTicket? = nil }

    /// The cache of calls with a ``CachingLevel``.
    ///
    /// Default: `nil`, which is ``AppCache/shared``.
    public var appCache: AppCache? {
        get { compatibility[SharedKey.self] }
        set { compatibility[SharedKey.self] = newValue }
    }

    /// The application cache ticket of one call.
    var appCacheTicket: AppCacheTicket? {
        get { compatibility[TicketKey.self] }
        set {
            compatibility[TicketKey.self] = newValue
            addedSteps.answersEveryRequest = newValue.map { $0.purpose != .answer } ?? false
            addedSteps.belowDefaultFields = nil
            guard newValue != nil else { return }
            addedSteps.belowDefaultFields = { configuration, _ in Interceptor.appCache(configuration) }
        }
    }
}
