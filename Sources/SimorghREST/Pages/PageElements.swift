// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// The items of the pages of a list, as a cold sequence: each iteration begins with the first page.
///
/// The next page is requested when the items of the last one have been used. Every failure is a
/// ``/SimorghCore/NetworkError``, thrown after the items before it; see ``Pages``.
public struct PageElements<Body: Sendable, Item: Sendable>: AsyncSequence, Sendable {
    /// An item.
    public typealias Element = Item
    /// The error that ended the iteration: a ``/SimorghCore/NetworkError``.
    public typealias Failure = any Error

    let pages: Pages<Body, Item>

    /// Returns an iterator.
    ///
    /// It requests the first page when the first element is requested.
    public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator()) }

    /// Requests all pages and returns their items.
    ///
    /// - Returns: The items, at most ``PageOptions/maximumItems``.
    /// - Throws: ``/SimorghCore/NetworkError``.
    public func collect() async throws -> [Item] {
        var items: [Item] = []
        for try await page in pages { items += page.items }
        return items
    }

    /// Returns the items of one page after the other.
    public struct Iterator: AsyncIteratorProtocol, TypedIterator {
        fileprivate var pages: Pages<Body, Item>.Iterator
        private var items: ArraySlice<Item> = []

        fileprivate init(pages: Pages<Body, Item>.Iterator) { self.pages = pages }

        /// Returns the next item, or `nil` at the end.
        ///
        /// - Parameter actor: The isolation of the caller.
        /// - Returns: The next item.
        /// - Throws: ``/SimorghCore/NetworkError``.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Item? {
            try await typedNext(isolation: actor)
        }

        package mutating func typedNext(
            isolation actor: isolated (any Actor)?
        ) async throws(NetworkError) -> Item? {
            // Pages may be empty; PageOptions.maximumPages limits their number.
            while items.isEmpty {
                guard let page = try await pages.typedNext(isolation: actor) else { return nil }
                items = page.items[...]
            }
            return items.popFirst()
        }
    }
}
