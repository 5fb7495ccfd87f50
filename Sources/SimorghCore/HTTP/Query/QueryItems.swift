// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The fields of a query, in order: `["page": 2, "q": "alice", "sort": nil]`.
///
/// A field with a `nil` value is omitted. Names and values are escaped when the URL is built, so that a form parser
/// of the WHATWG URL standard returns the same text.
public struct QueryItems: Sendable, Hashable {
    /// The fields, in the order in which they are sent.
    public var items: [QueryItem]

    /// Creates fields from items.
    ///
    /// - Parameter items: The items, in order; names may repeat.
    public init(_ items: [QueryItem] = []) { self.items = items }

    /// Creates fields from a value that encodes as an object, with nested values as `a[b]=` and arrays as `a[]=`.
    ///
    /// - Parameter value: The value.
    /// - Throws: ``InvalidRequestError`` if it does not encode as an object.
    public init(encoding value: some Encodable) throws {
        items = try QueryEncoder().encode(value)
    }
}

extension QueryItems: ExpressibleByDictionaryLiteral {
    /// Creates fields from names and values; a field with a `nil` value is omitted.
    ///
    /// - Parameter elements: The names and values, in order.
    public init(dictionaryLiteral elements: (String, (any CustomStringConvertible & Sendable)?)...) {
        items = elements.compactMap { name, value in value.map { QueryItem(name: name, value: $0.description) } }
    }
}

extension QueryItems: ExpressibleByArrayLiteral {
    /// Creates fields from items.
    ///
    /// - Parameter elements: The items, in order.
    public init(arrayLiteral elements: QueryItem...) { items = elements }
}
