// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
import RawStructuredFieldValues

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
        let values = fields[fields: .known("Accept-Query")].map(\.value)
        guard !values.isEmpty, values.reduce(0, { $0 + $1.utf8.count }) <= Self.maximumLength else { return nil }
        var parser = StructuredFieldValueParser(Array(values.joined(separator: ", ").utf8))
        guard let members = try? parser.parseListFieldValue() else { return nil }
        var ranges: [MediaRange] = []
        for member in members {
            guard case .item(let item) = member, let type = Self.text(item.rfc9651BareItem), type.contains("/") else {
                return nil
            }
            var parameters: [String: String] = [:]
            for (name, value) in item.rfc9651Parameters { parameters[name] = Self.text(value) }
            ranges.append(MediaRange(type: type.lowercased(), parameters: parameters))
        }
        self.ranges = ranges
    }

    /// The longest field value that is parsed, in bytes.
    private static let maximumLength = 8192

    private static func text(_ item: RFC9651BareItem) -> String? {
        switch item {
        case .string(let text), .token(let text): text
        default: nil
        }
    }

    /// Returns true if a range matches a media type.
    ///
    /// - Parameter mediaType: A media type. Its parameters are ignored, since a resource may accept others than it lists.
    /// - Returns: True if one of the ranges matches.
    public func accepts(_ mediaType: String) -> Bool {
        ranges.contains { MediaTypePattern.matches(mediaType, pattern: $0.type) }
    }
}
