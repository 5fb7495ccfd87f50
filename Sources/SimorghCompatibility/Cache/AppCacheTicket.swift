// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
public import SimorghCore
import Synchronization

/// That a call may be answered from an application's cache, and what came of it.
package final class AppCacheTicket: Sendable {
    /// What is to be kept of the call when its answer turns out to be of use.
    package struct Entry: Sendable {
        package let key: AppCacheKey
        /// Whether the answer came from the cache, so that it is there already.
        package let isHit: Bool
        /// The moment before the request.
        package let moment: AppCache.Moment
        /// The fields of the request; `nil` where the application gave a name, which says all.
        package let request: HTTPFields?
    }

    /// What a call wants of the cache.
    package enum Purpose: Sendable, Hashable {
        /// An answer, from the server where the cache has none.
        case answer
        /// What the cache has; no request is sent.
        case lookUp
        /// Only under which key it is.
        case locate
    }

    package let cache: AppCache
    package let level: CachingLevel
    package let kind: AppCacheKey.Kind
    /// The name that the application gave; the URL where it gave none.
    package let name: String?
    package let purpose: Purpose
    private let found = Mutex<Entry?>(nil)

    package init(
        _ cache: AppCache, _ level: CachingLevel, _ kind: AppCacheKey.Kind, name: String?, purpose: Purpose = .answer
    ) {
        self.cache = cache
        self.level = level
        self.kind = kind
        self.name = name
        self.purpose = purpose
    }

    /// What the last exchange of the call came to; `nil` where it never came to the cache.
    package var entry: Entry? { found.withLock { $0 } }

    /// The answer is none that may be kept.
    package func forget() { found.withLock { $0 = nil } }

    package func note(_ key: AppCacheKey, isHit: Bool, _ moment: AppCache.Moment, _ request: HTTPFields?) {
        found.withLock { $0 = Entry(key: key, isHit: isHit, moment: moment, request: request) }
    }
}

extension APIClient.Configuration {
    private enum SharedKey: UserInfo.Key { static let defaultValue: AppCache? = nil }
    private enum TicketKey: UserInfo.Key { static let defaultValue: AppCacheTicket? = nil }

    /// The cache that calls with a ``CachingLevel`` look into; `nil`, the default, is ``AppCache/shared``.
    public var appCache: AppCache? {
        get { compatibility[SharedKey.self] }
        set { compatibility[SharedKey.self] = newValue }
    }

    /// The way of one call into the application's cache.
    var appCacheTicket: AppCacheTicket? {
        get { compatibility[TicketKey.self] }
        set {
            compatibility[TicketKey.self] = newValue
            addedSteps.sendsNothing = newValue.map { $0.purpose != .answer } ?? false
            addedSteps.belowDefaultFields = nil
            guard newValue != nil else { return }
            addedSteps.belowDefaultFields = { configuration, _ in Interceptor.appCache(configuration) }
        }
    }
}
