// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// The URLs of metadata.
enum MetadataURLs {
    /// Returns the URLs at which the metadata of a server can be, in the order in which to try them.
    ///
    /// - Parameter issuer: The issuer.
    /// - Returns: The URL of RFC 8414, and that of OpenID Connect Discovery.
    /// - Throws: An error if the issuer has no such URL.
    static func server(_ issuer: String) throws(OAuthError) -> [String] {
        [
            try wellKnown("oauth-authorization-server", of: issuer, called: "issuer"),
            (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration",
        ]
    }

    /// Returns the URL with the well-known path between the host and the path (RFC 8414, section 3.1, and RFC 9728).
    ///
    /// - Parameters:
    ///   - name: The last part of the well-known path.
    ///   - url: The issuer or the resource.
    ///   - kind: The name of the URL, for the error.
    ///   - allowsQuery: True for a resource, whose identifier can have a query.
    /// - Returns: The URL.
    /// - Throws: An error if there is no such URL.
    static func wellKnown(
        _ name: String, of url: String, called kind: String, allowsQuery: Bool = false
    ) throws(OAuthError) -> String {
        do throws(InvalidRequestError) {
            let (base, target) = try BaseURL.absolute(url, schemes: ["http", "https"])
            let path = target.prefix { $0 != "?" }
            let query = target.dropFirst(path.count)
            guard query.isEmpty || allowsQuery else {
                throw InvalidRequestError(.invalidURL, message: "it has a query")
            }
            let shown = path.hasSuffix("/") ? path.dropLast() : path
            return "\(base.scheme)://\(base.authority)/.well-known/\(name)\(shown)\(query)"
        } catch {
            throw .insecureURL(kind, error.message)
        }
    }
}
