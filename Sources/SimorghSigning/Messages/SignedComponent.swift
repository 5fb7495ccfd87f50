// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import RawStructuredFieldValues
import SimorghSupport

/// A part of a message that a signature covers (RFC 9421, section 2).
///
/// A string literal is the name of a header field or of a derived component: `"content-type"`, `"@method"`.
public struct SignedComponent: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name, in lowercase.
    public let name: String
    /// The key of one member of a field that is a dictionary; `nil` for the whole field.
    public var member: String?
    /// The name of a query item, for `@query-param`, in its encoded form.
    public var queryItem: String?
    /// True if each line of the field is a byte sequence, for fields whose lines must not be joined.
    public var isBinary = false
    /// True if a signature of a response covers a component of its request.
    public var isOfRequest = false

    /// Creates a component.
    ///
    /// - Parameter name: The name of a field, in any case, or of a derived component, which begins with `@`.
    public init(_ name: String) { self.name = name.lowercased() }

    /// Creates a component from its name.
    ///
    /// - Parameter name: The name.
    public init(stringLiteral name: String) { self.init(name) }

    /// The method.
    public static let method = SignedComponent("@method")
    /// The whole URL.
    public static let targetURI = SignedComponent("@target-uri")
    /// The host, with a port that is not the scheme's own.
    public static let authority = SignedComponent("@authority")
    /// The scheme.
    public static let scheme = SignedComponent("@scheme")
    /// The path.
    public static let path = SignedComponent("@path")
    /// The query, with its question mark.
    public static let query = SignedComponent("@query")
    /// The status code of a response.
    public static let status = SignedComponent("@status")
    /// The field `Content-Digest`, which lets a signature cover the content.
    public static let contentDigest = SignedComponent("content-digest")

    /// Returns the component for one item of the query.
    ///
    /// - Parameter name: The name of the item, which the query must have exactly once.
    /// - Returns: The component.
    public static func queryItem(_ name: String) -> SignedComponent {
        var component = SignedComponent("@query-param")
        component.queryItem = SignatureBase.formEncoded(Array(name.utf8))
        return component
    }

    /// Returns the same component of the request, for the signature of a response.
    ///
    /// - Returns: The component.
    public func ofRequest() -> SignedComponent {
        var component = self
        component.isOfRequest = true
        return component
    }

    /// The identifier, as it is in the field `Signature-Input`.
    public var description: String { (try? StructuredText.item(item)) ?? name }

    /// The identifier as an item of structured fields.
    var item: Item {
        var parameters = OrderedMap<String, RFC9651BareItem>()
        if isBinary { parameters["bs"] = .bool(true) }
        if let member { parameters["key"] = .string(member) }
        if let queryItem { parameters["name"] = .string(queryItem) }
        if isOfRequest { parameters["req"] = .bool(true) }
        return Item(bareItem: .string(name), parameters: parameters)
    }

    /// Parses an identifier.
    init(_ item: Item) throws(MessageSignatureError) {
        guard case .string(let name) = item.rfc9651BareItem, !name.isEmpty, name == name.lowercased() else {
            throw MessageSignatureError(.malformed, "a component of the signature is not a string in lowercase")
        }
        self.init(name)
        for (key, value) in item.rfc9651Parameters {
            switch (key, value) {
            case ("bs", .bool(true)): isBinary = true
            case ("req", .bool(true)): isOfRequest = true
            case ("key", .string(let text)): member = text
            case ("name", .string(let text)): queryItem = text
            default:
                throw MessageSignatureError(
                    .unsupported, "the parameter \(LogText.value(key)) of a component is not supported")
            }
        }
    }
}

/// Serialization of structured fields (RFC 9651).
enum StructuredText {
    static func item(_ item: Item) throws -> String {
        var serializer = StructuredFieldValueSerializer()
        return String(decoding: try serializer.writeItemFieldValue(item), as: UTF8.self)
    }

    static func value(_ value: ItemOrInnerList) throws -> String {
        var serializer = StructuredFieldValueSerializer()
        return String(decoding: try serializer.writeListFieldValue([value]), as: UTF8.self)
    }

    static func dictionary(_ members: OrderedMap<String, ItemOrInnerList>) throws -> String {
        var serializer = StructuredFieldValueSerializer()
        return String(decoding: try serializer.writeDictionaryFieldValue(members), as: UTF8.self)
    }

    /// Returns true if a dictionary can be parsed in a moment: 16 KiB, 256 members and 1,024 parameters.
    ///
    /// The parser searches each key among all keys before it, so 64 KiB would need 100 million comparisons.
    static func isSmall(_ text: String) -> Bool {
        guard text.utf8.count <= 16 * 1024 else { return false }
        // Those in strings count, too.
        return text.utf8.count { $0 == UInt8(ascii: ",") } <= 256 && text.utf8.count { $0 == UInt8(ascii: ";") } <= 1024
    }

    static func dictionary(in text: String) throws -> OrderedMap<String, ItemOrInnerList> {
        var parser = StructuredFieldValueParser(Array(text.utf8))
        return try parser.parseDictionaryFieldValue()
    }
}
