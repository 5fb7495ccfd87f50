// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

extension Call {
    /// Returns the pages that begin with this call, each an array in JSON or another format of the client.
    ///
    /// - Parameters:
    ///   - type: The model of an item.
    ///   - keyPath: The path to the array, such as `"data.items"`. Default: the whole body.
    ///   - pagination: The way from a page to the next.
    /// - Returns: A cold sequence: nothing is requested before it is iterated. A response 204 is an empty page.
    public func pages<Item: Decodable & Sendable>(
        of type: Item.Type, at keyPath: DecodableKeyPath = [], by pagination: Pagination<[Item], Item>
    ) -> Pages<[Item], Item> {
        let whole = ResponseDecoding<[Item]>.decodable(at: keyPath)
        var list = ResponseDecoding<[Item]> { response, decoder in
            response.statusCode == 204 ? [] : try whole.decode(response, decoder)
        }
        list.accept = whole.accept
        return Pages(decoding(list), by: pagination) { $0 }
    }

    /// Returns the pages that begin with this call, each a value with its items in a property.
    ///
    /// ```swift
    /// struct Birds: Decodable, Sendable {
    ///     var items: [String]
    ///     var next: String?
    /// }
    /// let names = client.call(.get, "birds").pages(in: Birds.self, items: \.items, by: .cursor(\.next)).elements
    /// ```
    /// - Parameters:
    ///   - type: The model of a page.
    ///   - items: The property with the items.
    ///   - pagination: The way from a page to the next.
    /// - Returns: A cold sequence: nothing is requested before it is iterated.
    public func pages<Body: Decodable & Sendable, Item: Sendable>(
        in type: Body.Type, items: any KeyPath<Body, [Item]> & Sendable, by pagination: Pagination<Body, Item>
    ) -> Pages<Body, Item> {
        decoding(.decodable(type)).pages(items: items, by: pagination)
    }

    /// Returns the pages that begin with this call, decoded as the call decodes its response.
    ///
    /// - Parameters:
    ///   - items: The property with the items.
    ///   - pagination: The way from a page to the next.
    /// - Returns: A cold sequence: nothing is requested before it is iterated.
    public func pages<Item: Sendable>(
        items: any KeyPath<Output, [Item]> & Sendable, by pagination: Pagination<Output, Item>
    ) -> Pages<Output, Item> {
        Pages(self, by: pagination) { $0[keyPath: items] }
    }
}
