// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// The way in which an API divides a list into pages.
///
/// ```swift
/// let search = Pagination<JSON, JSON> { page in
///     page.body.more.bool == true ? .query(["after": page.items.last?.id.string]) : nil
/// }
/// ```
public struct Pagination<Body: Sendable, Item: Sendable>: Sendable {
    /// The query items of the first request.
    package let first: [QueryItem]
    /// Returns the page after another one; `nil` at the end.
    package let next: @Sendable (Page<Body, Item>) async throws -> NextPage?

    /// Creates a pagination from a closure.
    ///
    /// - Parameters:
    ///   - first: Query items to add to the first request.
    ///   - next: Returns the page after another one; `nil` at the end. It is called when the next page is requested. The
    ///     iteration throws the error that it throws.
    public init(
        first: QueryItems = QueryItems(), next: @escaping @Sendable (_ page: Page<Body, Item>) async throws -> NextPage?
    ) {
        self.first = first.items
        self.next = next
    }

    /// Pages that are linked by `Link` header fields with the relation `next` (RFC 8288), as GitHub's are.
    public static var linkHeader: Pagination { linkHeader(relation: "next") }

    /// Pages that are linked by `Link` header fields.
    ///
    /// The list ends with a page without such a link. A link with a foreign anchor does not count. A page whose fields
    /// exceed a limit of ``LinkHeader`` before such a link is an error, because a list that ends early looks complete.
    ///
    /// - Parameter relation: The relation type of the link to the next page.
    /// - Returns: The pagination.
    public static func linkHeader(relation: String) -> Pagination {
        Pagination { page in
            let links = page.response.links
            if let link = links[relation] { return .url(link.target) }
            guard links.isComplete else {
                throw PageError(
                    .incompleteLinks,
                    message: "the response has more links than are read (\(LinkHeader.maximumLinks), in "
                        + "\(LinkHeader.maximumBytes) bytes), and none of those leads to the next page")
            }
            return nil
        }
    }

    /// Pages whose bodies have the URL of the next page.
    ///
    /// The list ends with a page without a URL, or with an empty one.
    ///
    /// - Parameter url: The property with the URL, absolute or relative.
    /// - Returns: The pagination.
    public static func nextURL(_ url: any KeyPath<Body, String?> & Sendable) -> Pagination {
        Pagination { page in page.body[keyPath: url].flatMap { $0.isEmpty ? nil : .url($0) } }
    }

    /// Pages whose JSON has the URL of the next page.
    ///
    /// The list ends with a page in which the URL is missing, `null` or empty.
    ///
    /// - Parameter keyPath: The path to the URL, such as `"links.next"`.
    /// - Returns: The pagination.
    public static func nextURL(at keyPath: DecodableKeyPath) -> Pagination {
        Pagination { page in try page.text(at: keyPath).map { .url($0) } }
    }

    /// Pages whose bodies have a cursor, which the next request sends as a query item.
    ///
    /// The list ends with a page without a cursor, or with an empty one.
    ///
    /// - Parameters:
    ///   - cursor: The property with the cursor.
    ///   - item: The name of the query item.
    /// - Returns: The pagination.
    public static func cursor<Cursor: CustomStringConvertible & Sendable>(
        _ cursor: any KeyPath<Body, Cursor?> & Sendable, item: String = "cursor"
    ) -> Pagination {
        Pagination { page in
            page.body[keyPath: cursor].map(\.description).flatMap { $0.isEmpty ? nil : .query([item: $0]) }
        }
    }

    /// Pages whose JSON has a cursor, which the next request sends as a query item.
    ///
    /// The list ends with a page in which the cursor is missing, `null` or empty.
    ///
    /// - Parameters:
    ///   - keyPath: The path to the cursor, a string or an integer, such as `"meta.next"`.
    ///   - item: The name of the query item.
    /// - Returns: The pagination.
    public static func cursor(at keyPath: DecodableKeyPath, item: String = "cursor") -> Pagination {
        Pagination { page in try page.text(at: keyPath).map { .query([item: $0]) } }
    }

    /// Pages that begin after a number of items.
    ///
    /// The next page begins after all items that were received, so a server that sends fewer items than asked for skips
    /// none. The list ends with an empty page.
    ///
    /// - Parameters:
    ///   - limit: The number of items to ask for.
    ///   - offsetItem: The name of the query item with the number of items to skip.
    ///   - limitItem: The name of the query item with the number of items to ask for.
    ///   - endsAtShortPage: True to end with a page of fewer items than asked for, which saves a request. Use it only if
    ///     the server never sends fewer before the end. Default: false.
    /// - Returns: The pagination.
    public static func offset(
        limit: Int, offsetItem: String = "offset", limitItem: String = "limit", endsAtShortPage: Bool = false
    ) -> Pagination {
        @Sendable func query(_ offset: Int) -> QueryItems { [offsetItem: offset, limitItem: limit] }
        return Pagination(first: query(0)) { page in
            page.isLast(of: endsAtShortPage ? limit : 1) ? nil : .query(query(page.itemCount))
        }
    }

    /// Pages with numbers.
    ///
    /// The list ends with an empty page.
    ///
    /// - Parameters:
    ///   - size: The number of items to ask for; `nil`, the default, leaves it to the server.
    ///   - pageItem: The name of the query item with the number of the page.
    ///   - sizeItem: The name of the query item with the number of items.
    ///   - first: The number of the first page.
    ///   - endsAtShortPage: True to end with a page of fewer items than asked for, which saves a request. Use it only if
    ///     the server never sends fewer before the end. Default: false.
    /// - Returns: The pagination.
    public static func page(
        size: Int? = nil, pageItem: String = "page", sizeItem: String = "per_page", first: Int = 1,
        endsAtShortPage: Bool = false
    ) -> Pagination {
        @Sendable func query(_ number: Int) -> QueryItems { [pageItem: number, sizeItem: size] }
        return Pagination(first: query(first)) { page in
            guard !page.isLast(of: endsAtShortPage ? size ?? 1 : 1) else { return nil }
            let (number, isTooLarge) = first.addingReportingOverflow(page.number)
            guard !isTooLarge else {
                throw PageError(.invalidURL, message: "the number of the next page is larger than an integer can be")
            }
            return .query(query(number))
        }
    }
}

extension Page {
    /// Returns true if the page has fewer items than others have.
    fileprivate func isLast(of size: Int) -> Bool { items.count < max(1, size) }

    /// Returns a string or an integer in the JSON of the body; `nil` if it is missing, `null` or empty.
    fileprivate func text(at keyPath: DecodableKeyPath) throws -> String? {
        let value: JSON
        do {
            try response.requireJSON()
            value = try JSONDecoder().decode(JSON.self, from: response.body, at: keyPath)
        } catch is InvalidKeyPathError {
            return nil
        } catch {
            throw ResponseDecodingError(error, type: JSON.self, response: response)
        }
        return switch value {
        case .string(let text): text.isEmpty ? nil : text
        case .number(let number): number.description
        default: nil
        }
    }
}
