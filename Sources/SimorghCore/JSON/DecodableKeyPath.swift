// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The path to a value inside a JSON document: `"data.address.city"`, `"data/items/0"`, `["a.b", "c"]`.
///
/// A number is an index in an array, from 0. A string is split at each dot and slash; in an array each element is one
/// name, whatever characters it contains.
public struct DecodableKeyPath: Sendable, Hashable, CustomStringConvertible {
    /// The names and indices, from the outermost value inward.
    public let components: [String]

    /// Creates a path from names and indices.
    ///
    /// - Parameter components: The names and indices, from the outermost value inward; empty for the whole document.
    public init(components: [String]) { self.components = components }

    /// Creates a path from a string.
    ///
    /// - Parameter text: Names and indices, separated by dots or slashes.
    public init(_ text: String) {
        components = text.split { $0 == "." || $0 == "/" }.map(String.init)
    }

    /// The names and indices, separated by dots.
    public var description: String { components.joined(separator: ".") }
}

extension DecodableKeyPath: ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    /// Creates a path from a string.
    ///
    /// - Parameter value: Names and indices, separated by dots or slashes.
    public init(stringLiteral value: String) { self.init(value) }

    /// Creates a path from names and indices.
    ///
    /// - Parameter elements: The names and indices, from the outermost value inward.
    public init(arrayLiteral elements: String...) { self.init(components: elements) }
}

/// An error for a key path that does not exist in a valid JSON document.
public struct InvalidKeyPathError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The whole path.
    public let keyPath: DecodableKeyPath
    /// The number of its components that were found.
    public let foundComponents: Int

    /// The path and the component that is missing.
    public var description: String {
        let missing = keyPath.components.dropFirst(foundComponents).first ?? ""
        return "the key path “\(keyPath)” was not found: there is no key or index “\(missing)”"
    }
}
