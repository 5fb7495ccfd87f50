// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// One page of a list: its items, and the response that it came in.
public struct Page<Body: Sendable, Item: Sendable>: Sendable {
    /// The number of the page, from 1.
    public let number: Int
    /// The items of the page, in order.
    public let items: [Item]
    /// The number of items of this page and all pages before it.
    public let itemCount: Int
    /// The decoded body.
    public let body: Body
    /// The response: status, header fields, body.
    public let response: CollectedResponse
}

/// The next page of a list, as a ``Pagination`` describes it.
public struct NextPage: Sendable {
    package enum Target: Sendable {
        case url(String)
        case query([QueryItem])
        case body(RequestBody)
    }

    package let target: Target

    /// A page at a URL, fetched with `GET` and without a body.
    ///
    /// Like all pages after the first, it is requested without the conditions, the `Range` and the idempotency key that the
    /// call has in header fields of its own.
    ///
    /// - Parameter url: The URL, absolute or relative to the URL that answered the last request.
    /// - Returns: The page.
    public static func url(_ url: String) -> NextPage { NextPage(target: .url(url)) }

    /// The first request with other query items.
    ///
    /// - Parameter items: The items. They replace those of the same names.
    /// - Returns: The page.
    public static func query(_ items: QueryItems) -> NextPage { NextPage(target: .query(items.items)) }

    /// The first request with another body, for APIs that take the cursor there.
    ///
    /// Two equal bodies in a row are not detected as a loop; the limits of ``PageOptions`` still apply.
    ///
    /// - Parameter body: The body.
    /// - Returns: The page.
    public static func body(_ body: RequestBody) -> NextPage { NextPage(target: .body(body)) }
}
