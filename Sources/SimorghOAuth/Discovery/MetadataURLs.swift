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
            try wellKnown("oauth-authorization-server", of: issuer),
            (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration",
        ]
    }

    /// Returns the URL with the well-known path between the host and the path (RFC 8414, section 3.1).
    static func wellKnown(_ name: String, of url: String) throws(OAuthError) -> String {
        do throws(InvalidRequestError) {
            let (base, target) = try BaseURL.absolute(url, schemes: ["http", "https"])
            guard !target.utf8.contains(UInt8(ascii: "?")) else {
                throw InvalidRequestError(.invalidURL, message: "it has a query")
            }
            let path = target.hasSuffix("/") ? String(target.dropLast()) : target
            return "\(base.scheme)://\(base.authority)/.well-known/\(name)\(path)"
        } catch {
            throw .insecureURL("issuer", error.message)
        }
    }
}
