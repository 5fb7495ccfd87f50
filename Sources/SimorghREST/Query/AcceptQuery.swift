// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
import RawStructuredFieldValues
import SimorghSupport

/// The field `Accept-Query`: the media types that a resource accepts as the content of a QUERY (RFC 10008, section 3).
///
/// ```swift
/// let response = try await client.call(.options, "contacts").response()
/// let acceptsJSONPath = AcceptQuery(response.headers)?.accepts("application/jsonpath") == true
/// ```
public struct AcceptQuery: Sendable, Hashable {
    /// A media range without a weight.
    public struct MediaRange: Sendable, Hashable {
        /// The type and subtype in lower case: `application/sql`, `text/*`, `*/*`.
        public let type: String
        /// The parameters, such as `charset`.
        public let parameters: [String: String]
    }

    /// The media ranges, whose order means nothing.
    public let ranges: [MediaRange]

    /// Parses the field; `nil` if it is missing, or is not a list of strings and tokens.
    ///
    /// - Parameter fields: The header fields of a response.
    public init?(_ fields: HTTPFields) {
        guard let members = StructuredField.list(fields[values: .known("Accept-Query")]) else { return nil }
        var ranges: [MediaRange] = []
        for member in members {
            guard let item = member.item, let type = item.rfc9651BareItem.text, type.contains("/") else { return nil }
            var parameters: [String: String] = [:]
            for (name, value) in item.rfc9651Parameters { parameters[name] = value.text }
            ranges.append(MediaRange(type: type.lowercased(), parameters: parameters))
        }
        self.ranges = ranges
    }

    /// Returns true if a range matches a media type.
    ///
    /// - Parameter mediaType: A media type. Its parameters are ignored, since a resource may accept others than it lists.
    /// - Returns: True if one of the ranges matches.
    public func accepts(_ mediaType: String) -> Bool {
        ranges.contains { MediaTypePattern.matches(mediaType, pattern: $0.type) }
    }
}
