// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// A scheme, a host and a port: the scope of credentials.
package struct WebOrigin: Hashable, Sendable, CustomStringConvertible {
    /// The origin as a URL without a path, such as `https://api.example.com`.
    package let description: String

    /// Creates the origin of a request.
    package init?(_ head: HTTPRequest) {
        guard let scheme = head.scheme, let authority = head.authority else { return nil }
        self.init("\(scheme)://\(authority)")
    }

    /// Creates the origin of a URL; `nil` if the text is not a complete HTTP URL.
    package init?(_ url: String) {
        guard let parts = try? URLParts(url, schemes: BaseURL.httpSchemes) else { return nil }
        description = "\(parts.scheme)://\(parts.authority)"
    }

    /// Returns true if an origin is that of the same host and port over TLS.
    ///
    /// - Parameters:
    ///   - origin: The text of an origin, without a default port.
    ///   - next: The text of another one.
    /// - Returns: True for `http://a.test` and `https://a.test`.
    package static func isUpgrade(of origin: String, to next: String) -> Bool {
        origin.hasPrefix("http://") && next == "https://" + origin.dropFirst("http://".count)
    }

    /// Returns true if a request goes to this origin.
    package func isOrigin(of head: HTTPRequest) -> Bool {
        guard let scheme = head.scheme, let authority = head.authority else { return false }
        // Our own requests are written in this form; another spelling of the same origin has to be parsed.
        return description == "\(scheme)://\(authority)" || WebOrigin(head) == self
    }
}
