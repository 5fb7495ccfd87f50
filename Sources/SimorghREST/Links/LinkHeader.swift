// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
import SimorghSupport

/// The links in the `Link` header fields of a response (RFC 8288).
///
/// ```swift
/// let response = try await client.call(.get, "repos").response().response
/// let next = response.links["next"]?.url
/// ```
/// A field is read as the RFC's appendix B.2 says: a malformed link ends its field, and the links before it remain.
public struct LinkHeader: Sendable, Hashable {
    /// The links in the order of the fields, including those with an ``WebLink/anchor``.
    public let links: [WebLink]
    /// True if every link was read; false if the fields exceed a limit.
    public let isComplete: Bool

    /// The largest number of links.
    ///
    /// Further ones are ignored.
    public static let maximumLinks = 256
    /// The largest number of bytes of all `Link` fields of a response.
    ///
    /// A field that exceeds it is ignored.
    public static let maximumBytes = 64 * 1024
    /// The largest number of parameters of a link.
    ///
    /// Further ones are ignored.
    public static let maximumParameters = 32

    /// Reads the links of a response, relative to the URL that answered.
    ///
    /// - Parameter response: The response.
    public init(_ response: CollectedResponse) { self.init(response.headers, relativeTo: response.url) }

    /// Reads the links in header fields.
    ///
    /// - Parameters:
    ///   - fields: The header fields of a response.
    ///   - url: The URL of the response, which relative targets are resolved against.
    public init(_ fields: HTTPFields, relativeTo url: String) {
        self.init(fields[fields: .link].map { field in field.withUnsafeBytesOfValue { Array($0) } }, base: url)
    }

    /// Reads the links in the value of a field.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - url: The URL of the response, which relative targets are resolved against.
    public init(_ value: String, relativeTo url: String) { self.init([Array(value.utf8)], base: url) }

    package init(_ values: [[UInt8]], base: String) {
        var links: [WebLink] = []
        var isComplete = true
        var bytesLeft = Self.maximumBytes
        for value in values {
            bytesLeft -= value.count
            guard bytesLeft >= 0 else {
                isComplete = false
                break
            }
            var parser = LinkParser(value, maximumParameters: Self.maximumParameters)
            while let link = parser.next() {
                guard links.count < Self.maximumLinks else {
                    isComplete = false
                    break
                }
                links.append(WebLink(target: link.target, parameters: link.parameters, base: base))
            }
        }
        self.links = links
        self.isComplete = isComplete
    }

    /// The first link from the response itself with a relation type.
    ///
    /// A link with a foreign ``WebLink/anchor`` is not from the response itself.
    ///
    /// - Parameter relation: The relation type, such as `next`; case does not matter.
    public subscript(relation: String) -> WebLink? {
        let relation = relation.lowercased()
        return links.first { $0.isFromResponse && $0.relations.contains(relation) }
    }
}

extension HTTPField.Name {
    /// The name `Link`.
    package static let link = HTTPField.Name.known("Link")
}

extension CollectedResponse {
    /// The links in the `Link` header fields (RFC 8288).
    ///
    /// The fields are parsed at each access.
    public var links: LinkHeader { LinkHeader(self) }
}
