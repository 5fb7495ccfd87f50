// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// Where the responses to the last URLs are stored, so that no URL that is asked for again is read and hashed again.
package final class CachePlaces: Sendable {
    /// A URL as it is compared, and what the responses to it are stored under.
    package struct Place: Sendable {
        package let url: String
        package let key: CacheKey
    }

    private struct Slot: Sendable {
        let written: String
        let partition: String
        let place: Place
    }

    private let slots = Mutex([Slot?](repeating: nil, count: CachePlaces.count))
    private static let count = 64
    /// A URL or the name of a partition that is longer, in bytes, is not remembered; neither is one that is not ASCII.
    private static let longest = 1024

    package init() {}

    /// The place of the responses to somebody at a URL.
    ///
    /// - Parameters:
    ///   - written: The URL as the request has it.
    ///   - partition: Whose they are.
    /// - Returns: The place; `nil` for what is no URL of HTTP.
    package func place(of written: String, partition: String) -> Place? {
        var hasher = Hasher()
        hasher.combine(written)
        // Each URL has one slot, and of those that share it the one asked for last is there.
        let index = hasher.finalize() & (Self.count - 1)
        if let slot = slots.withLock({ $0[index] }), written.isSame(as: slot.written),
            partition.isSame(as: slot.partition)
        {
            return slot.place
        }
        guard let url = CacheKey.normalized(written) else { return nil }
        let place = Place(url: url, key: CacheKey(partition: partition, url: url))
        if written.utf8.count <= Self.longest, partition.utf8.count <= Self.longest, written.isASCII, partition.isASCII
        {
            slots.withLock { $0[index] = Slot(written: written, partition: partition, place: place) }
        }
        return place
    }

    /// Forgets the URLs.
    func removeAll() { slots.withLock { $0 = [Slot?](repeating: nil, count: Self.count) } }
}
