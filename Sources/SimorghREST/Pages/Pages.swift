// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// The pages of a list, as a cold sequence: each iteration begins with the first page.
///
/// ```swift
/// let repositories = client.pages(of: Repository.self, "users/zal/repos", by: .linkHeader)
/// for try await page in repositories { print(page.number, page.items.count) }
/// for try await repository in repositories.elements { print(repository.name) }
/// ```
/// A page is requested when the iterator is asked for it, with the settings, retries, authentication and caches of the
/// call; ``PageOptions/prefetches`` requests one page ahead. Cancelling the task, or releasing the iterator, cancels the
/// request.
///
/// Every failure is a ``/SimorghCore/NetworkError``; its ``/SimorghCore/NetworkError/underlyingError`` is a ``PageError``
/// if the next page was not requested. The pages before it have been returned by then. After an error the iterator
/// returns `nil`.
public struct Pages<Body: Sendable, Item: Sendable>: AsyncSequence, Sendable {
    /// A page.
    public typealias Element = Page<Body, Item>
    /// The error that ended the iteration: a ``/SimorghCore/NetworkError``.
    public typealias Failure = any Error

    private let list: PageList<Body, Item>
    /// The call for the first page.
    package var call: Call<Body> { list.call }
    /// The limits of an iteration, and its choices.
    public private(set) var options = PageOptions()

    package init(
        _ call: Call<Body>, by pagination: Pagination<Body, Item>, items: @escaping @Sendable (Body) -> [Item]
    ) {
        list = PageList(call: call, items: items, pagination: pagination)
    }

    /// Returns the same pages with other options.
    ///
    /// ```swift
    /// let few = client.pages(of: Repository.self, "repos", by: .linkHeader).with {
    ///     $0.maximumPages = 10
    ///     $0.prefetches = true
    /// }
    /// ```
    /// - Parameter change: Changes a copy of the options.
    /// - Returns: The pages.
    public func with(_ change: (inout PageOptions) throws -> Void) rethrows -> Pages {
        var copy = self
        try change(&copy.options)
        return copy
    }

    /// The items of all pages, as a cold sequence.
    public var elements: PageElements<Body, Item> { PageElements(pages: self) }

    /// Returns an iterator.
    ///
    /// It requests the first page when the first element is requested.
    public func makeAsyncIterator() -> Iterator { Iterator(PageFetcher(list, options: options), options: options) }

    /// Requests one page after the other.
    public struct Iterator: AsyncIteratorProtocol, TypedIterator {
        private var fetcher: PageFetcher<Body, Item>
        private let prefetches: Bool
        private var prefetch: PagePrefetch<Body, Item>?

        fileprivate init(_ fetcher: PageFetcher<Body, Item>, options: PageOptions) {
            self.fetcher = fetcher
            prefetches = options.prefetches
        }

        /// Returns the next page, or `nil` at the end.
        ///
        /// - Parameter actor: The isolation of the caller.
        /// - Returns: The next page.
        /// - Throws: ``/SimorghCore/NetworkError``.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws -> Page<Body, Item>? {
            try await typedNext(isolation: actor)
        }

        package mutating func typedNext(
            isolation actor: isolated (any Actor)?
        ) async throws(NetworkError) -> Page<Body, Item>? {
            let page: Page<Body, Item>?
            if let running = prefetch.take() {
                let result: Result<Page<Body, Item>?, NetworkError>
                (result, fetcher) = await running.outcome()
                page = try result.get()
            } else {
                page = try await fetcher.next()
            }
            if prefetches, page != nil, fetcher.canContinue { prefetch = PagePrefetch(fetcher) }
            return page
        }
    }
}

/// The call for the first page, the way to the next ones, and the items in a body.
struct PageList<Body: Sendable, Item: Sendable>: Sendable {
    let call: Call<Body>
    let items: @Sendable (Body) -> [Item]
    let pagination: Pagination<Body, Item>
}
