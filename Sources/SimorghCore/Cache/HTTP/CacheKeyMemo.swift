// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghSupport
import Synchronization

/// A memo of the keys of recently used URLs, which saves normalizing and hashing them again.
package final class CacheKeyMemo: Sendable {
    /// A normalized URL and the key of its responses.
    package struct Entry: Sendable {
        package let url: String
        package let key: CacheKey
    }

    /// A class, so that a lookup does not copy its contents.
    private final class Slot: Sendable {
        let scheme: String?
        let authority: String?
        let path: String?
        let partition: String
        let entry: Entry

        init(_ head: HTTPRequest, partition: String, entry: Entry) {
            (scheme, authority, path) = (head.scheme, head.authority, head.path)
            (self.partition, self.entry) = (partition, entry)
        }

        /// Returns true if the slot is for this URL and partition; the slot's URL is ASCII.
        func isFor(scheme: String?, authority: String?, path: String?, partition: String) -> Bool {
            Self.isSame(path, as: self.path) && Self.isSame(authority, as: self.authority)
                && Self.isSame(scheme, as: self.scheme) && partition.isSame(as: self.partition)
        }

        private static func isSame(_ text: String?, as ascii: String?) -> Bool {
            guard let text, let ascii else { return text == nil && ascii == nil }
            return text.isSame(as: ascii)
        }
    }

    private let slots = Mutex([Slot?](repeating: nil, count: CacheKeyMemo.count))
    /// The number of slots, a power of two; a hit costs a third of a computation.
    private static let count = 1024
    /// The maximum length of a memoized URL or partition, in bytes; non-ASCII ones are not memoized.
    private static let maximumLength = 256

    package init() {}

    /// Returns the key of a URL.
    ///
    /// - Parameters:
    ///   - head: The request with the URL.
    ///   - partition: The partition.
    /// - Returns: The key; `nil` if the URL is not a valid HTTP URL.
    package func entry(of head: HTTPRequest, partition: String) -> Entry? {
        let (authority, path) = (head.authority, head.path)
        // Each URL has one slot; of several URLs with the same slot, the last one used is in it.
        let checksum = Self.checksum(path, seed: Self.checksum(authority, seed: 0))
        let index = Int(truncatingIfNeeded: checksum) & (Self.count - 1)
        if let slot = slots.withLock({ $0[index] }),
            slot.isFor(scheme: head.scheme, authority: authority, path: path, partition: partition)
        {
            return slot.entry
        }
        let written = head.urlString
        guard let url = CacheKey.normalized(written) else { return nil }
        let entry = Entry(url: url, key: CacheKey(partition: partition, url: url))
        if written.utf8.count <= Self.maximumLength, partition.utf8.count <= Self.maximumLength, written.isASCII,
            partition.isASCII
        {
            let slot = Slot(head, partition: partition, entry: entry)
            slots.withLock { $0[index] = slot }
        }
        return entry
    }

    private static func checksum(_ text: String?, seed: UInt64) -> UInt64 {
        guard var text else { return seed }
        return text.withUTF8 { XXH64.of(UnsafeRawBufferPointer($0), seed: seed) }
    }

    /// Removes all entries.
    func removeAll() { slots.withLock { $0 = [Slot?](repeating: nil, count: Self.count) } }
}
