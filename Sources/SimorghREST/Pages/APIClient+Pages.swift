// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension APIClient {
    /// Returns the pages of a list, each a JSON array.
    ///
    /// ```swift
    /// let repositories = client.pages(of: Repository.self, "users/zal/repos", by: .linkHeader)
    /// for try await repository in repositories.elements { print(repository.name) }
    /// ```
    /// - Parameters:
    ///   - type: The model of an item.
    ///   - path: The path below the base URL, or an absolute URL if the client has no base URL.
    ///   - keyPath: The path to the array, such as `"data.items"`. Default: the whole body.
    ///   - query: The query items of the first request.
    ///   - headers: The header fields. They override the client's.
    ///   - pagination: The way from a page to the next.
    /// - Returns: A cold sequence: nothing is requested before it is iterated.
    public func pages<Item: Decodable & Sendable>(
        of type: Item.Type, _ path: String, at keyPath: DecodableKeyPath = [], query: QueryItems = QueryItems(),
        headers: [String: String] = [:], by pagination: Pagination<[Item], Item>
    ) -> Pages<[Item], Item> {
        call(.get, path, query: query, headers: headers).pages(of: type, at: keyPath, by: pagination)
    }

    /// Returns the pages of an endpoint, each a JSON array.
    ///
    /// - Parameters:
    ///   - type: The model of an item.
    ///   - router: The endpoint of the first page.
    ///   - keyPath: The path to the array, such as `"data.items"`. Default: the whole body.
    ///   - pagination: The way from a page to the next.
    /// - Returns: A cold sequence: nothing is requested before it is iterated.
    public func pages<Item: Decodable & Sendable>(
        of type: Item.Type, _ router: some NetworkRouter, at keyPath: DecodableKeyPath = [],
        by pagination: Pagination<[Item], Item>
    ) -> Pages<[Item], Item> {
        call(router).pages(of: type, at: keyPath, by: pagination)
    }

    /// Returns the pages of a list, each a JSON value with its items in a property.
    ///
    /// - Parameters:
    ///   - type: The model of a page.
    ///   - path: The path below the base URL, or an absolute URL if the client has no base URL.
    ///   - items: The property with the items.
    ///   - query: The query items of the first request.
    ///   - headers: The header fields. They override the client's.
    ///   - pagination: The way from a page to the next.
    /// - Returns: A cold sequence: nothing is requested before it is iterated.
    public func pages<Body: Decodable & Sendable, Item: Sendable>(
        in type: Body.Type, _ path: String, items: any KeyPath<Body, [Item]> & Sendable,
        query: QueryItems = QueryItems(), headers: [String: String] = [:], by pagination: Pagination<Body, Item>
    ) -> Pages<Body, Item> {
        call(.get, path, query: query, headers: headers).pages(in: type, items: items, by: pagination)
    }

    /// Returns the pages of an endpoint, each a JSON value with its items in a property.
    ///
    /// - Parameters:
    ///   - type: The model of a page.
    ///   - router: The endpoint of the first page.
    ///   - items: The property with the items.
    ///   - pagination: The way from a page to the next.
    /// - Returns: A cold sequence: nothing is requested before it is iterated.
    public func pages<Body: Decodable & Sendable, Item: Sendable>(
        in type: Body.Type, _ router: some NetworkRouter, items: any KeyPath<Body, [Item]> & Sendable,
        by pagination: Pagination<Body, Item>
    ) -> Pages<Body, Item> {
        call(router).pages(in: type, items: items, by: pagination)
    }
}
