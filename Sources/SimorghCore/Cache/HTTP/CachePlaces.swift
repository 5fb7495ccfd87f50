// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import Synchronization

/// Where the responses to the last URLs are stored, so that no URL that is asked for again is read and hashed again.
package final class CachePlaces: Sendable {
    /// A URL as it is compared, and what the responses to it are stored under.
    package struct Place: Sendable {
        package let url: String
        package let key: CacheKey
    }

    /// An object, so that it is found without a copy of all that is in it.
    private final class Slot: Sendable {
        let head: HTTPRequest
        let partition: String
        let place: Place

        init(_ head: HTTPRequest, _ partition: String, _ place: Place) {
            (self.head, self.partition, self.place) = (head, partition, place)
        }

        /// True if the slot is that of a request in a partition; the slot's URL is ASCII.
        func isPlace(of other: HTTPRequest, _ itsPartition: String) -> Bool {
            Self.isSame(other.path, head.path) && Self.isSame(other.authority, head.authority)
                && Self.isSame(other.scheme, head.scheme) && itsPartition.isSame(as: partition)
        }

        private static func isSame(_ text: String?, _ ascii: String?) -> Bool {
            guard let text, let ascii else { return text == nil && ascii == nil }
            return text.isSame(as: ascii)
        }
    }

    private let slots = Mutex([Slot?](repeating: nil, count: CachePlaces.count))
    /// A power of two; a place that is found costs a third of one that is made.
    private static let count = 1024
    /// A URL or the name of a partition that is longer, in bytes, is not remembered; neither is one that is not ASCII.
    private static let longest = 256

    package init() {}

    /// The place of the responses to somebody at a URL.
    ///
    /// - Parameters:
    ///   - head: The request, which has the URL.
    ///   - partition: Whose they are.
    /// - Returns: The place; `nil` for what is no URL of HTTP.
    package func place(of head: HTTPRequest, partition: String) -> Place? {
        var hasher = Hasher()
        hasher.combine(head.authority)
        hasher.combine(head.path)
        // Each URL has one slot, and of those that share it the one asked for last is there.
        let index = hasher.finalize() & (Self.count - 1)
        if let slot = slots.withLock({ $0[index] }), slot.isPlace(of: head, partition) { return slot.place }
        let written = head.urlString
        guard let url = CacheKey.normalized(written) else { return nil }
        let place = Place(url: url, key: CacheKey(partition: partition, url: url))
        if written.utf8.count <= Self.longest, partition.utf8.count <= Self.longest, written.isASCII, partition.isASCII
        {
            var head = head
            // Only the URL of it is looked at.
            head.headerFields = HTTPFields()
            let slot = Slot(head, partition, place)
            slots.withLock { $0[index] = slot }
        }
        return place
    }

    /// Forgets the URLs.
    func removeAll() { slots.withLock { $0 = [Slot?](repeating: nil, count: Self.count) } }
}
