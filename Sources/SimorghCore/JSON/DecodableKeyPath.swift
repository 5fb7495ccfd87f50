// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The way to a value inside a JSON document: `"data.address.city"`, `"data/items/0"`, `["a.b", "c"]`.
///
/// A number is the place in a list, from 0. As a text it is cut at each dot and slash; as a list each element is one
/// name, whatever it holds.
public struct DecodableKeyPath: Sendable, Hashable, CustomStringConvertible {
    /// The names and numbers, from the outside in.
    public let components: [String]

    /// Creates a way from its names and numbers.
    ///
    /// - Parameter components: From the outside in; none is the whole document.
    public init(components: [String]) { self.components = components }

    /// Creates a way from a text.
    ///
    /// - Parameter text: Names and numbers with a dot or a slash between them.
    public init(_ text: String) {
        components = text.split { $0 == "." || $0 == "/" }.map(String.init)
    }

    /// The names and numbers with dots between them.
    public var description: String { components.joined(separator: ".") }
}

extension DecodableKeyPath: ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    /// Creates a way from a text.
    ///
    /// - Parameter value: Names and numbers with a dot or a slash between them.
    public init(stringLiteral value: String) { self.init(value) }

    /// Creates a way from its names and numbers.
    ///
    /// - Parameter elements: From the outside in.
    public init(arrayLiteral elements: String...) { self.init(components: elements) }
}

/// A key path led nowhere: the document is JSON, but there is no such place in it.
public struct BrokenKeyPath: Error, Sendable, Hashable, CustomStringConvertible {
    /// The whole way.
    public let keyPath: DecodableKeyPath
    /// How many of its components were found.
    public let foundComponents: Int

    /// The way and the component that is missing.
    public var description: String {
        let missing = keyPath.components.dropFirst(foundComponents).first ?? ""
        return "the key path “\(keyPath)” breaks at “\(missing)”: there is no such key or index"
    }
}
