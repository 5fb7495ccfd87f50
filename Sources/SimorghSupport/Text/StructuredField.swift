// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import RawStructuredFieldValues

/// The parsers for structured fields (RFC 9651), with a limit for their length.
///
/// Each takes the values of all fields of a name, and returns `nil` without a field, and for fields that are malformed or
/// too long: such a field is ignored as a whole. Of several dictionary members or parameters with the same key the last one counts.
package enum StructuredField {
    /// The longest value that is parsed, in bytes, together with the separators between fields.
    ///
    /// A response's head may be longer, but the time to parse a dictionary grows with the square of the number of its
    /// keys. Nesting needs no limit: an inner list contains no other.
    package static let maximumLength = 8192

    /// Parses a dictionary.
    package static func dictionary(_ values: [String]) -> OrderedMap<String, ItemOrInnerList>? {
        guard var parser = parser(of: values) else { return nil }
        return try? parser.parseDictionaryFieldValue()
    }

    /// Parses a list.
    package static func list(_ values: [String]) -> [ItemOrInnerList]? {
        guard var parser = parser(of: values) else { return nil }
        return try? parser.parseListFieldValue()
    }

    /// Parses a single item.
    ///
    /// Several fields are malformed.
    package static func item(_ values: [String]) -> Item? {
        guard var parser = parser(of: values) else { return nil }
        return try? parser.parseItemFieldValue()
    }

    /// Parses a dictionary of byte sequences, such as `Content-Digest` (RFC 9530).
    ///
    /// - Parameter values: The values of all fields of the name.
    /// - Returns: The members; the bytes are `nil` for a value of another type.
    package static func byteSequences(_ values: [String]) -> [(key: String, bytes: [UInt8]?)]? {
        dictionary(values)?.map { key, value in (key, value.item?.rfc9651BareItem.bytes) }
    }

    private static func parser(of values: [String]) -> StructuredFieldValueParser<[UInt8]>? {
        guard !values.isEmpty, values.reduce(-2, { $0 + $1.utf8.count + 2 }) <= maximumLength else { return nil }
        return StructuredFieldValueParser(Array(values.joined(separator: ", ").utf8))
    }
}

extension ItemOrInnerList {
    /// The item; `nil` for an inner list.
    package var item: Item? {
        guard case .item(let item) = self else { return nil }
        return item
    }
}

extension RFC9651BareItem {
    /// The value of a string or a token; `nil` for another type.
    package var text: String? {
        switch self {
        case .string(let text), .token(let text): text
        default: nil
        }
    }

    /// The value of an integer, which has at most 15 digits; `nil` for another type.
    package var integer: Int64? {
        guard case .integer(let number) = self else { return nil }
        return number
    }

    /// The value of a boolean; `nil` for another type.
    package var boolean: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The bytes of a byte sequence; `nil` for another type, or if the text is not base64.
    ///
    /// Padding may be missing (RFC 9651, section 4.2.7).
    package var bytes: [UInt8]? {
        guard case .undecodedByteSequence(let text) = self else { return nil }
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: text + padding).map { Array($0) }
    }
}
