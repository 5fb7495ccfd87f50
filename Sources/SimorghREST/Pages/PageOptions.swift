// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The limits of an iteration over pages, and its choices.
public struct PageOptions: Sendable, Hashable {
    /// The largest number of pages to request.
    ///
    /// Default: 1,000.
    ///
    /// At least one page is requested.
    public var maximumPages = 1000
    /// The largest number of items to return.
    ///
    /// Default: 1,000,000.
    public var maximumItems = 1_000_000
    /// True to end at a limit as at the end of the list; false to throw a ``PageError`` if the list goes on.
    ///
    /// Default: false, because a list that ends early looks complete.
    public var endsAtLimit = false
    /// True to request the next page while the items of a page are in use.
    ///
    /// Default: false.
    ///
    /// At most one page is requested ahead. The request is cancelled if the iterator is released.
    public var prefetches = false
    /// Further origins whose pages may be requested, as URLs such as `https://api2.example.com`.
    ///
    /// Default: empty, only pages of the first request's origin.
    ///
    /// Everything after the host and port is ignored. An invalid URL allows no origin. Requests to another origin have
    /// no credentials: no authentication and no cookies, no query items and no client certificate of the client, and of
    /// the header fields only `Accept`, `Accept-Charset`, `Accept-Encoding`, `Accept-Language`, `Cache-Control` and
    /// `User-Agent`. After a page of another origin, or one that a redirect through another origin led to, a link back has
    /// no credentials either.
    public var allowedOrigins: Set<String> = []

    /// Creates the default options.
    public init() {}
}
