// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// A scheme, a host and a port: what credentials are for.
package struct WebOrigin: Hashable, Sendable, CustomStringConvertible {
    /// The origin as a URL without a path, such as `https://api.example.com`.
    package let description: String

    /// The origin of a request.
    package init?(_ head: HTTPRequest) {
        guard let scheme = head.scheme, let authority = head.authority else { return nil }
        self.init("\(scheme)://\(authority)")
    }

    /// The origin of a URL; `nil` for a text that is no whole URL of HTTP.
    package init?(_ url: String) {
        guard let parts = try? URLParts(url, schemes: BaseURL.httpSchemes) else { return nil }
        description = "\(parts.scheme)://\(parts.authority)"
    }

    /// Whether a request goes to this origin.
    package func isOrigin(of head: HTTPRequest) -> Bool {
        guard let scheme = head.scheme, let authority = head.authority else { return false }
        // As our own requests are written; another way of writing the same is looked at closely.
        return description == "\(scheme)://\(authority)" || WebOrigin(head) == self
    }
}
