// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore

/// The version of a resource's representation, as the field `ETag` has it (RFC 9110, section 8.8.3).
public struct EntityTag: Sendable, Hashable, CustomStringConvertible {
    /// The tag without its quotes.
    public let opaque: String
    /// A Boolean value that indicates whether the tag is weak: equal tags then do not mean equal bytes.
    ///
    /// Only a strong tag can be a condition of a write.
    public let isWeak: Bool

    /// Creates a tag from the value of a field.
    ///
    /// - Parameter field: The value, such as `"v1"` or `W/"v1"`, with its quotes. For another value the initializer
    ///   returns `nil`.
    public init?(_ field: String) {
        var text = field.utf8[...]
        while let first = text.first, Self.isBlank(first) { text.removeFirst() }
        while let last = text.last, Self.isBlank(last) { text.removeLast() }
        isWeak = text.starts(with: "W/".utf8)
        if isWeak { text.removeFirst(2) }
        let quote = UInt8(ascii: "\"")
        guard text.count >= 2, text.first == quote, text.last == quote else { return nil }
        text = text.dropFirst().dropLast()
        // Visible characters except the quote, and bytes beyond ASCII.
        guard text.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != quote }) else { return nil }
        opaque = String(Substring(text))
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    /// The tag as the value of a field, with its quotes.
    public var description: String { "\(isWeak ? "W/" : "")\"\(opaque)\"" }
}

extension HTTPFields {
    /// The entity tag; `nil` without one, for one that is malformed or not UTF-8, and for more than one.
    var entityTag: EntityTag? {
        let tags = self[values: .eTag]
        // U+FFFD replaces bytes that are not UTF-8: a condition with it would never be true.
        guard tags.count == 1, !tags[0].unicodeScalars.contains("\u{FFFD}") else { return nil }
        return EntityTag(tags[0])
    }

    /// The entity tag if it is strong.
    var strongTag: EntityTag? { entityTag.flatMap { $0.isWeak ? nil : $0 } }
}

extension CollectedResponse {
    /// The entity tag of the response; `nil` if it has none, or one that is malformed or not UTF-8.
    public var entityTag: EntityTag? { headers.entityTag }
}
