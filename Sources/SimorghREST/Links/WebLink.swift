// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A link in a `Link` header field: a target, its relation to the response, and attributes of the target (RFC 8288).
public struct WebLink: Sendable, Hashable {
    /// A parameter of a link.
    public struct Parameter: Sendable, Hashable {
        /// The name, in lower case; that of an extended parameter ends in `*`.
        public let name: String
        /// The value without quotes, an extended one decoded; empty for a name without a value.
        public let value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The target as the server wrote it; often relative.
    public let target: String
    /// The target resolved against the URL of the response.
    ///
    /// It can be of any scheme, and lead to another host.
    public let url: String
    /// The relation types, such as `next`, in lower case.
    public let relations: [String]
    /// The URL that the link leads from, as the server wrote it; `nil` for the response itself.
    public let anchor: String?
    /// True if the link leads from the response itself: it has no anchor, or one with the URL of the response.
    public let isFromResponse: Bool
    /// All parameters in order, including repeated ones, except malformed extended ones.
    public let parameters: [Parameter]

    /// The title, if possible in the encoding of `title*`.
    public var title: String? { self["title*"] ?? self["title"] }
    /// The expected media type of the target.
    public var type: String? { self["type"] }
    /// The medium or device that the target is for.
    public var media: String? { self["media"] }
    /// The languages of the target.
    public var languages: [String] { parameters.filter { $0.name == "hreflang" }.map(\.value) }

    package init(target: String, parameters: [Parameter], base: String) {
        self.target = target
        self.parameters = parameters
        var base = URLReference(base)
        base.fragment = nil
        url = URLReference(target).resolved(against: base).description
        func first(_ name: String) -> String? { parameters.first { $0.name == name }?.value }
        relations = (first("rel") ?? "").lowercased().split { $0 == " " || $0 == "\t" }.map(String.init)
        anchor = first("anchor")
        isFromResponse =
            anchor.map { URLReference($0).resolved(against: base).description == base.description } ?? true
    }

    /// The value of the first parameter with a name; `nil` without such a parameter.
    ///
    /// - Parameter name: The name, in lower case.
    public subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }
}
